#include "neardup/remote/redis/server_facts.h"

#include <fmt/format.h>

#include <charconv>

namespace neardup::remote::redis {
namespace {

constexpr int kOldestVersion = 7;

}  // namespace

Facts lines_of(std::string_view text) {
  Facts values;
  while (!text.empty()) {
    const size_t end = std::min(text.find("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 2));
    if (const size_t colon = line.find(':'); colon != std::string_view::npos)
      values.emplace(line.substr(0, colon), line.substr(colon + 1));
  }
  return values;
}

std::string_view ServerFacts::of(std::string_view name) const {
  for (const auto* values : {&info, &config})
    if (const auto found = values->find(name); found != values->end()) return found->second;
  return {};
}

std::optional<uint64_t> ServerFacts::number(std::string_view name) const {
  const std::string_view text = of(name);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || text.empty()) return std::nullopt;
  return value;
}

std::string ServerFacts::persistence() const {
  if (!config.contains("appendonly")) {
    constexpr std::string_view kForbidden = "the user may not ask for the server's settings (CONFIG GET)";
    const std::string_view appends = of("aof_enabled");
    if (appends.empty()) return fmt::format("unknown: {}", kForbidden);
    return fmt::format("{}append-only file; whatever else is unknown: {}", appends == "1" ? "" : "no ", kForbidden);
  }
  const bool has_snapshots = !of("save").empty();
  const std::string snapshots = has_snapshots ? fmt::format("snapshots ({})", of("save")) : "no snapshots";
  if (of("appendonly") != "yes")
    return (has_snapshots ? "what came since the last snapshot is lost with the server: "
                          : "all is lost with the server: ") +
           snapshots + ", no append-only file";
  const std::string_view sync = of("appendfsync");
  const std::string_view how = sync == "always"     ? "synced with every change"
                               : sync == "everysec" ? "synced every second"
                                                    : "synced when the system likes";
  return fmt::format("append-only file, {}; {}", how, snapshots);
}

Result<ServerFacts> ask_facts(ConnectionPool& pool) {
  Request request;
  request.command({"INFO"});
  request.command({"CONFIG", "GET", "appendonly", "appendfsync", "save", "set-max-intset-entries"});
  NEARDUP_ASSIGN(const Replies replies, pool.send_retrying_stale(request));
  ServerFacts facts;
  for (size_t i = 0; i < replies.size(); ++i) {
    const std::string_view problem =
        replies[i].type == ReplyType::kError ? replies.text(replies[i]) : std::string_view();
    if (!problem.empty() && !problem.starts_with("NOPERM") && !problem.starts_with("ERR"))
      return refusal(pool.uri(), problem);
  }
  if (replies[0].type == ReplyType::kText) facts.info = lines_of(replies.text(replies[0]));
  if (replies.fits(1, Shape::pairs()))
    for (size_t i = 0; i + 1 < replies[1].size; i += 2)
      facts.config.emplace(replies.text(replies.element(1, i)), replies.text(replies.element(1, i + 1)));
  return facts;
}

Status check_server(const RemoteUri& uri, const ServerFacts& facts) {
  const std::string_view version = facts.of("redis_version");
  int major = kOldestVersion;
  std::from_chars(version.data(), version.data() + version.size(), major);
  if (major < kOldestVersion)
    return fail(Code::kUnsupported, fmt::format("{}: the server is Redis {}, expected {} or newer; upgrade it",
                                                uri.shown(), version, kOldestVersion));
  const auto allowed = uri.options.find("allow-eviction");
  if (allowed != uri.options.end() && allowed->second == "yes") return {};
  const std::string_view policy = facts.of("maxmemory_policy");
  if (!policy.starts_with("allkeys") || facts.number("maxmemory").value_or(0) == 0) return {};
  return fail(
      Code::kUnsupported,
      fmt::format("{}: where its memory is full the server throws keys away (maxmemory-policy {}), and with them "
                  "documents, without a word; set it to noeviction (CONFIG SET maxmemory-policy noeviction), or "
                  "add ?allow-eviction=yes",
                  uri.shown(), policy));
}

}  // namespace neardup::remote::redis
