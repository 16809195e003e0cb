#include <fmt/format.h>

#include <charconv>

#include "neardup/base/version.h"
#include "neardup/server/handlers.h"
#include "neardup/server/json_pieces.h"

namespace neardup::server {
namespace {

double uptime_seconds(const ServiceState& state) {
  constexpr double kMillisecond = 1000;
  const auto up = std::chrono::steady_clock::now() - state.started;
  return static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(up).count()) / kMillisecond;
}

void append_totals(std::string& out, const Totals& totals) {
  append_key(out, "verdicts");
  out += '{';
  append_count(out, "new", totals.verdicts[0]);
  append_count(out, "exact", totals.verdicts[1]);
  append_count(out, "near", totals.verdicts[2]);
  append_count(out, "contained", totals.verdicts[3]);
  out += '}';
  append_count(out, "checked", totals.verdicts[0] + totals.verdicts[1] + totals.verdicts[2] + totals.verdicts[3]);
  append_count(out, "queried", totals.queried);
  append_count(out, "requests", totals.requests);
  append_count(out, "errors", totals.errors);
  append_count(out, "refused", totals.refused);
}

void append_latency(std::string& out, const LatencyWindow::Quantiles& latency) {
  append_key(out, "latency_us");
  out += '{';
  append_count(out, "p50", latency.p50);
  append_count(out, "p90", latency.p90);
  append_count(out, "p99", latency.p99);
  append_count(out, "window_seconds", LatencyWindow::kWindow.count());
  out += '}';
}

void append_queue(std::string& out, const Gauges& gauges, const Limits& limits) {
  uint64_t waiting = 0;
  for (const auto& [lane, count] : gauges.waiting) waiting += count;
  append_key(out, "queue");
  out += '{';
  append_count(out, "waiting", waiting);
  append_count(out, "limit", limits.waiting);
  append_count(out, "bytes", gauges.waiting_bytes);
  append_count(out, "limit_bytes", limits.waiting_bytes);
  out += '}';
}

void append_settings(std::string& out, const ServiceState& state) {
  const BackendFacts& facts = state.backend->facts();
  append_key(out, "settings");
  out += '{';
  append_text(out, "family", facts.family);
  append_text(out, "records", facts.records);
  if (facts.contained) append_number(out, "contained", *facts.contained);
  append_bool(out, "keep_texts", facts.keeps_texts);
  append_bool(out, "snapshots", !state.options.snapshot_folder.empty());
  out += '}';
}

void append_store(std::string& out, const Gauges& gauges) {
  append_key(out, "store");
  out += '{';
  append_text(out, "kind", gauges.store_kind);
  append_key(out, "facts");
  out += '{';
  for (const store::StoreFact& fact : gauges.store_said) append_text(out, fact.name, fact.value);
  out += "}}";
}

// Those of them that are whole numbers.
std::vector<std::pair<std::string, uint64_t>> counts_of(const std::vector<store::StoreFact>& facts) {
  std::vector<std::pair<std::string, uint64_t>> counts;
  for (const store::StoreFact& fact : facts) {
    uint64_t count = 0;
    const char* end = fact.value.data() + fact.value.size();
    const auto [rest, error] = std::from_chars(fact.value.data(), end, count);
    if (error == std::errc() && rest == end) counts.emplace_back(fact.name, count);
  }
  return counts;
}

}  // namespace

bool is_store_on_server(const ServiceState& state) {
  return state.phase != Phase::kStarting && state.store_watch != nullptr;
}

std::optional<std::string> why_store_is_gone(const ServiceState& state) {
  return is_store_on_server(state) ? state.store_watch->why_gone() : std::nullopt;
}

Gauges read_gauges(const ServiceState& state) {
  Gauges gauges;
  gauges.connections = state.num_connections;
  gauges.waiting_bytes = state.budget.held();
  if (state.waiting) gauges.waiting = state.waiting();
  const ProcessFigures process = process_figures();
  gauges.process_memory_bytes = process.memory_bytes;
  gauges.process_cpu_seconds = process.cpu_seconds;
  gauges.is_ready = state.phase == Phase::kReady;
  if (state.phase != Phase::kStarting) gauges.store_kind = state.backend->facts().store_kind;
  return gauges;
}

Status read_store_gauges(const ServiceState& state, Gauges& gauges) {
  if (gauges.store_kind.empty()) return {};
  if (const auto why = why_store_is_gone(state)) return fail(Code::kIo, *why);
  NEARDUP_ASSIGN(const store::Statistics statistics, state.backend->statistics());
  gauges.is_store_reached = true;
  gauges.store_facts = counts_of(statistics.facts);
  gauges.compared = state.backend->comparisons();
  gauges.documents = statistics.documents;
  gauges.duplicates = statistics.duplicates;
  gauges.numbers = statistics.next_number;
  gauges.disk_bytes = statistics.disk_bytes;
  gauges.checkpoints = statistics.checkpoints;
  gauges.failed_checkpoints = statistics.failed_checkpoints;
  gauges.log_bytes = statistics.log_bytes;
  gauges.store_memory_bytes = statistics.memory_bytes;
  gauges.store_said = statistics.facts;
  return {};
}

Response get_recipe(ServiceState& state, const Request& /*request*/) {
  std::string body = "{\"json\":";
  body += state.backend->facts().recipe_json;
  const ValueCounts& values = state.backend->facts().values;
  append_text(body, "family", state.backend->facts().family);
  append_count(body, "fingerprints", values.fingerprints);
  append_count(body, "signature_values", values.signature);
  return answer_with_recipe(state, std::move(body));
}

Response get_stats(ServiceState& state, const Request& /*request*/) {
  Gauges gauges = read_gauges(state);
  if (const Status read = read_store_gauges(state, gauges); !read) return refuse(read.error());
  std::string body = "{";
  append_text(body, "version", kVersion);
  append_bool(body, "ready", gauges.is_ready);
  append_number(body, "uptime_seconds", uptime_seconds(state));
  append_count(body, "documents", gauges.documents);
  append_count(body, "duplicates", gauges.duplicates);
  append_count(body, "numbers", gauges.numbers);
  append_count(body, "disk_bytes", gauges.disk_bytes);
  append_count(body, "log_bytes", gauges.log_bytes);
  append_count(body, "store_memory_bytes", gauges.store_memory_bytes);
  append_count(body, "process_memory_bytes", gauges.process_memory_bytes);
  append_totals(body, state.metrics.totals());
  append_latency(body, state.metrics.latency().quantiles(LatencyWindow::Clock::now()));
  append_queue(body, gauges, state.options.limits);
  append_count(body, "connections", gauges.connections);
  append_settings(body, state);
  append_store(body, gauges);
  return answer_with_recipe(state, std::move(body));
}

Response get_metrics(ServiceState& state, const Request& /*request*/) {
  Gauges gauges = read_gauges(state);
  const Status read = read_store_gauges(state, gauges);
  if (!read && !is_store_on_server(state)) return refuse(read.error());
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = state.metrics.text(gauges)};
}

Response get_live(ServiceState& /*state*/, const Request& /*request*/) {
  return {.content_type = kTextType, .body = "ok\n"};
}

Response get_health(ServiceState& state, const Request& request) {
  if (const auto why = why_store_is_gone(state)) return refuse(Refusal{503, "store_gone", *why});
  return get_live(state, request);
}

Response get_ready(ServiceState& state, const Request& /*request*/) {
  const Phase phase = state.phase;
  if (const auto why = why_store_is_gone(state)) return refuse(Refusal{503, "store_gone", *why});
  if (phase == Phase::kReady) return {.content_type = kTextType, .body = "ready\n"};
  const bool starts = phase == Phase::kStarting;
  return refuse(Refusal{503, starts ? "not_ready" : "stopping", starts ? "the log is being read" : "the server stops"});
}

Response get_openapi(ServiceState& /*state*/, const Request& /*request*/) { return {.body = openapi_document()}; }

}  // namespace neardup::server
