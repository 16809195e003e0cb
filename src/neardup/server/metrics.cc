#include "neardup/server/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>

namespace neardup::server {
namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;

// 50 us to 10 s.
const Histogram::BucketBoundaries& latency_buckets() {
  static const Histogram::BucketBoundaries buckets = {.00005, .0001, .00025, .0005, .001, .0025, .005, .01,
                                                      .025,   .05,   .1,     .25,   .5,   1,     2.5,  10};
  return buckets;
}

const Histogram::BucketBoundaries& group_buckets() {
  static const Histogram::BucketBoundaries buckets = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16384};
  return buckets;
}

prometheus::Family<Counter>& counters(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

prometheus::Family<Gauge>& gauges_of(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}

prometheus::Family<Histogram>& histograms(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

constexpr int kFirstStatus = 200, kEndStatus = 600;

}  // namespace

struct Metrics::Impl {
  explicit Impl(std::vector<std::string> names) : routes(std::move(names)), counted(routes.size()) {
    for (const std::string& route : routes)
      seconds.push_back(&seconds_family.Add({{"route", route}}, latency_buckets()));
    for (const char* verdict : {"new", "exact", "near", "contained"})
      verdicts.push_back(&verdict_family.Add({{"verdict", verdict}}));
  }

  Counter& requests(size_t route, int status) {
    auto& slot = counted[route][static_cast<size_t>(status - kFirstStatus)];
    Counter* counter = slot.load(std::memory_order_acquire);
    if (counter == nullptr) {  // Add() returns the same one to all who ask at once
      counter = &request_family.Add({{"route", routes[route]}, {"status", std::to_string(status)}});
      slot.store(counter, std::memory_order_release);
    }
    return *counter;
  }

  void set(const char* name, const char* help, double value, const prometheus::Labels& labels = {}) {
    gauges_of(registry, name, help).Add(labels).Set(value);
  }

  void set_store(const Gauges& gauges) {
    const auto shown = [this](const char* name, const char* help, uint64_t value) {
      set(name, help, static_cast<double>(value));
    };
    shown("neardup_documents", "Documents that are kept or known as duplicates", gauges.documents);
    shown("neardup_duplicates", "Of these: repeat another one", gauges.duplicates);
    shown("neardup_disk_bytes", "Bytes of all files of the store", gauges.disk_bytes);
    shown("neardup_checkpoints", "Checkpoints made since the start", gauges.checkpoints);
    shown("neardup_failed_checkpoints", "Checkpoints that failed since the start", gauges.failed_checkpoints);
    shown("neardup_log_bytes", "Log that waits for a checkpoint, which a restart reads again", gauges.log_bytes);
    shown("neardup_store_memory_bytes", "Memory of the indexes", gauges.store_memory_bytes);
  }

  /// Brings a counter to what something else has counted. Threads: one at a time.
  void count(const char* name, const char* help, double total, const prometheus::Labels& labels = {}) {
    Counter& counter = counters(registry, name, help).Add(labels);
    counter.Increment(std::max(total - counter.Value(), 0.0));
  }

  using Statuses = std::array<std::atomic<Counter*>, kEndStatus - kFirstStatus>;
  const std::vector<std::string> routes;
  prometheus::Registry registry{prometheus::Registry::InsertBehavior::Merge};
  prometheus::Family<Counter>& request_family = counters(registry, "neardup_requests_total", "Requests answered");
  prometheus::Family<Histogram>& seconds_family =
      histograms(registry, "neardup_request_seconds", "From the last byte of a request to its answer");
  prometheus::Family<Counter>& verdict_family = counters(registry, "neardup_verdicts_total", "Verdicts on documents");
  prometheus::Family<Counter>& refused_family =
      counters(registry, "neardup_refused_total", "Requests refused for want of room or time");
  Counter& bytes_in = counters(registry, "neardup_received_bytes_total", "Bytes of bodies received").Add({});
  Counter& bytes_out = counters(registry, "neardup_sent_bytes_total", "Bytes of bodies sent").Add({});
  Counter& queried = counters(registry, "neardup_queried_total", "Documents whose neighbours were asked for").Add({});
  Histogram& groups =
      histograms(registry, "neardup_group_documents", "Documents in one call of the store").Add({}, group_buckets());
  std::vector<Histogram*> seconds;
  std::vector<Counter*> verdicts;
  std::vector<Statuses> counted;
  std::atomic<uint64_t> num_requests = 0, num_errors = 0, num_refused = 0;
  LatencyWindow latency;
  std::mutex text_mutex;  // one at a time shows them
};

Metrics::Metrics(std::vector<std::string> routes) : impl_(std::make_unique<Impl>(std::move(routes))) {}
Metrics::~Metrics() = default;

void Metrics::answered(size_t route, int status, std::chrono::microseconds latency, uint64_t bytes_in,
                       uint64_t bytes_out) {
  impl_->requests(route, status).Increment();
  impl_->seconds[route]->Observe(std::chrono::duration<double>(latency).count());
  impl_->bytes_in.Increment(static_cast<double>(bytes_in));
  impl_->bytes_out.Increment(static_cast<double>(bytes_out));
  impl_->num_requests.fetch_add(1, std::memory_order_relaxed);
  constexpr int kOurFault = 500;
  if (status >= kOurFault) impl_->num_errors.fetch_add(1, std::memory_order_relaxed);
}

void Metrics::refused(std::string_view reason) {
  impl_->refused_family.Add({{"reason", std::string(reason)}}).Increment();
  impl_->num_refused.fetch_add(1, std::memory_order_relaxed);
}

void Metrics::checked(store::Kind kind, uint64_t count) {
  if (count > 0) impl_->verdicts[static_cast<size_t>(kind)]->Increment(static_cast<double>(count));
}

void Metrics::queried(uint64_t count) { impl_->queried.Increment(static_cast<double>(count)); }
void Metrics::grouped(size_t documents) { impl_->groups.Observe(static_cast<double>(documents)); }

Totals Metrics::totals() const {
  Totals totals{impl_->num_requests, impl_->num_errors, impl_->num_refused};
  for (size_t k = 0; k < impl_->verdicts.size(); ++k)
    totals.verdicts[k] = static_cast<uint64_t>(impl_->verdicts[k]->Value());
  totals.queried = static_cast<uint64_t>(impl_->queried.Value());
  return totals;
}

LatencyWindow& Metrics::latency() { return impl_->latency; }

std::string Metrics::text(const Gauges& gauges) {
  const std::lock_guard lock(impl_->text_mutex);
  const auto set = [&](const char* name, const char* help, auto value) {
    impl_->set(name, help, static_cast<double>(value));
  };
  set("neardup_ready", "1 once requests are served", gauges.is_ready);
  if (!gauges.store_kind.empty()) {
    impl_->set("neardup_store_reached", "1 where the store answers, by the kind of its place", gauges.is_store_reached,
               {{"kind", gauges.store_kind}});
    for (const auto& [name, value] : gauges.store_facts)
      impl_->set("neardup_store_fact", "What the server of the store counts", static_cast<double>(value),
                 {{"name", name}});
  }
  if (gauges.store_kind.empty() || gauges.is_store_reached) impl_->set_store(gauges);
  set("neardup_connections", "Connections that are open", gauges.connections);
  set("neardup_waiting_bytes", "Bodies and answers that are held", gauges.waiting_bytes);
  set("process_resident_memory_bytes", "Resident memory size in bytes.", gauges.process_memory_bytes);
  impl_->count("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.",
               gauges.process_cpu_seconds);
  const auto candidates = [&](const char* outcome, uint64_t total) {
    impl_->count("neardup_candidates_total", "Stored documents that were looked at, as they may be near one that came",
                 static_cast<double>(total), {{"outcome", outcome}});
  };
  candidates("unlike", gauges.compared.unlike);
  candidates("refused", gauges.compared.refused);
  candidates("similar", gauges.compared.similar);
  for (const auto& [lane, waiting] : gauges.waiting)
    impl_->set("neardup_waiting_requests", "Requests that wait to be worked on", static_cast<double>(waiting),
               {{"lane", std::string(lane)}});
  return prometheus::TextSerializer().prometheus::Serializer::Serialize(impl_->registry.Collect());
}

ProcessFigures process_figures() {
  ProcessFigures figures;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
    unsigned long long total = 0, resident = 0;
    if (std::fscanf(file, "%llu %llu", &total, &resident) == 2)
      figures.memory_bytes = resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    static_cast<void>(std::fclose(file));
  }
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    figures.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return figures;
}

}  // namespace neardup::server
