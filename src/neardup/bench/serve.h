// Measured work of the HTTP service: what it takes at most, and how long answers take below that.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/bench/measurement.h"
#include "neardup/recipe/spec.h"

namespace neardup::bench {

struct ServeBench {
  uint64_t count = 1'000'000;  // documents that are there before anything is measured
  uint64_t num_documents = 0;  // of each measurement; 0: a tenth of count, but 10,000 to 1,000,000 (100,000 texts)
  int max_distance = 3;
  std::optional<recipe::Recipe> recipe;  // texts under it; else fingerprints that come ready
  uint64_t text_bytes = 2000;            // of such a text
  uint64_t batch = 100;                  // values that come ready: documents of a request. Texts come alone
  uint64_t connections = 0;              // 0: 256 for texts, 16 for batches; never more than requests
  double per_second = 0;                 // documents of an open loop; 0: `load_share` of what a closed loop found
  double load_share = .7;
  std::string server;  // "http://127.0.0.1:PORT" of one that runs, which is not filled; else one is started
  std::string folder;  // of its store: not there, or empty; it stays. Empty: one in `work_folder`, removed at the end
  std::string work_folder = ".";
  std::string program = "/proc/self/exe";  // neardup
  uint64_t seed = 1;
  Context context;
};

/// What one load gave.
struct ServeMeasurement {
  std::string operation;     // query, check_and_insert
  std::string form;          // text, fingerprints, signatures
  uint64_t count = 0;        // documents in the store at the end
  uint64_t batch = 1;        // documents of a request
  uint64_t connections = 1;  // that were used
  double load_share = 1;     // of what a closed loop found; 1: that loop itself; 0: of a rate that was asked for
  double rate = 0;           // documents that were planned a second; 0: a closed loop
  uint64_t num_documents = 0;
  uint64_t num_good = 0;  // documents of requests that were answered with 200
  double seconds = 0;
  Quantiles latency_us;                    // of a request
  std::map<std::string, uint64_t> errors;  // requests that were not
  double generator_cpu_seconds = 0;
  double bytes_per_item = 0, disk_bytes_per_item = 0;  // as the service says
  double fdatasync_per_second = 0;  // of one thread, just before; 0: not measured, the store is another server's
  [[nodiscard]] double good_per_second() const { return static_cast<double>(num_good) / (seconds > 0 ? seconds : 1); }
};
using ServeMeasured = std::function<void(const ServeMeasurement&)>;

/// Fills a store (through the library), serves it by a process of its own, as in earnest, and measures over HTTP on
/// connections that stay open. With a recipe: `query` and `check_and_insert` of single texts, then check_and_insert of
/// batches of ready values of the recipe's family; without: both of batches of ready fingerprints. Each first in a
/// closed loop, which finds what the service takes at most, then in an open loop at `load_share` of it; where a rate is
/// given in an open loop alone. Calls `measured` with each. The load shares the machine with the service. To `server`
/// each run sends documents and ids that no other run had: near-duplicates among them are of the same run.
/// Errors: those of the store; kIo where the service does not start or ends; kInvalidArgument where `server` is not one
/// on this machine, or connections need more open files than the system allows (the limit of this process is raised as
/// far as it may); kCancelled.
[[nodiscard]] Status run_serve_bench(const ServeBench& options, const ServeMeasured& measured);

}  // namespace neardup::bench
