// Loads an HTTP service on this machine with requests that are ready, and says how long the answers took.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/bench/measurement.h"
#include "neardup/bench/serve_client.h"

namespace neardup::bench {

struct LoadPlan {
  double per_second = 0;  // requests; 0: a closed loop, each connection sends its next when it has its answer
  size_t connections = 64;
  std::chrono::milliseconds patience{60'000};  // without any answer to what is under way: then it is given up
  Context context = {};
};

struct LoadResult {
  uint64_t num_requests = 0;
  uint64_t num_good = 0;                   // answered with 200
  std::map<std::string, uint64_t> errors;  // the others: "429 busy", "no answer", ...
  double seconds = 0;                      // from the first plan to the last answer
  Quantiles latency_us;                    // of all: from their plan, in a closed loop from their sending
  double cpu_seconds = 0;                  // that the generator itself took
};

/// Sends `requests` (whole ones, head and body), each once, over connections that stay open, one under way on each.
/// What finds no free connection waits, and its time runs (LoadSchedule). A lost connection is made anew, its request
/// is an error. Threads: one, the caller's. Errors: kIo where no connection can be made; kCancelled.
[[nodiscard]] Result<LoadResult> run_load(const LoopbackAddress& server, std::span<const std::string> requests,
                                          const LoadPlan& plan);

}  // namespace neardup::bench
