// What the service counts, for Prometheus and for /v1/stats.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/engine/online/text_judge.h"
#include "neardup/server/latency.h"
#include "neardup/store/document_store.h"

namespace neardup::server {

/// What is read when somebody asks.
struct Gauges {
  uint64_t documents = 0, duplicates = 0, numbers = 0, disk_bytes = 0, checkpoints = 0, failed_checkpoints = 0;
  uint64_t log_bytes = 0, store_memory_bytes = 0;
  uint64_t process_memory_bytes = 0;
  double process_cpu_seconds = 0;
  uint64_t connections = 0, waiting_bytes = 0;
  std::vector<std::pair<std::string_view, uint64_t>> waiting;  // requests, by lane
  engine::Comparisons compared;                                // since the start
  bool is_ready = false;
  std::string store_kind;                                     // empty: there is none yet
  bool is_store_reached = false;                              // else what is said of it is what was known last
  std::vector<std::pair<std::string, uint64_t>> store_facts;  // what else it counts, by name
  std::vector<store::StoreFact> store_said;                   // all of it
};

inline constexpr size_t kNumKinds = 4;  // of verdicts

/// Counts since the start.
struct Totals {
  uint64_t requests = 0, errors = 0, refused = 0;
  uint64_t verdicts[kNumKinds] = {};  // by store::Kind
  uint64_t queried = 0;
};

/// Threads: any.
class Metrics {
 public:
  /// `routes`: what the label "route" may be; the last stands for none.
  explicit Metrics(std::vector<std::string> routes);
  ~Metrics();

  void answered(size_t route, int status, std::chrono::microseconds latency, uint64_t bytes_in, uint64_t bytes_out);
  /// A request that was refused for want of room, or not in time: "queue", "bytes", "timeout", ...
  void refused(std::string_view reason);
  void checked(store::Kind kind, uint64_t count);
  void queried(uint64_t count);
  /// So many documents go into one call of the store.
  void grouped(size_t documents);

  [[nodiscard]] Totals totals() const;
  [[nodiscard]] LatencyWindow& latency();
  /// Returns all of it in Prometheus' text format.
  [[nodiscard]] std::string text(const Gauges& gauges);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the resident memory of this process and the processor time that it took.
struct ProcessFigures {
  uint64_t memory_bytes = 0;
  double cpu_seconds = 0;
};
[[nodiscard]] ProcessFigures process_figures();

}  // namespace neardup::server
