// What all requests share.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "neardup/server/backend.h"
#include "neardup/server/byte_budget.h"
#include "neardup/server/ended_tags.h"
#include "neardup/server/keys.h"
#include "neardup/server/log.h"
#include "neardup/server/metrics.h"
#include "neardup/server/options.h"
#include "neardup/server/store_watch.h"

namespace neardup::server {

enum class Phase : uint8_t { kStarting, kReady, kStopping };

struct ServiceState {
  ServerOptions options;
  Keys keys;
  Log& log;
  Metrics metrics;
  ByteBudget budget{options.limits.waiting_bytes};
  EndedTags ended_tags = {};
  std::mutex end_tag_mutex = {};  // from the call that ends a tag until ended_tags knows of it
  std::atomic<Phase> phase = Phase::kStarting;
  std::atomic<uint64_t> num_connections = 0, next_request = 1;
  const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  // Set once, before `phase` becomes kReady.
  std::unique_ptr<Backend> backend = nullptr;
  std::unique_ptr<StoreWatch> store_watch = nullptr;                                 // null: the store is in a folder
  std::function<std::vector<std::pair<std::string_view, uint64_t>>()> waiting = {};  // requests, by lane
};

/// Returns whether a store is open, and a server keeps it.
[[nodiscard]] bool is_store_on_server(const ServiceState& state);
/// Returns why the server that keeps the store does not answer; nothing where it does, and of a folder.
[[nodiscard]] std::optional<std::string> why_store_is_gone(const ServiceState& state);

/// Reads what is shown of the present, but for the store.
[[nodiscard]] Gauges read_gauges(const ServiceState& state);
/// Adds what is shown of the store, once there is one. Errors: the store's; kIo where why_store_is_gone().
[[nodiscard]] Status read_store_gauges(const ServiceState& state, Gauges& gauges);

}  // namespace neardup::server
