// Measured work of a store in a folder or on a server: many callers, batches, each acknowledged once it is durable.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/recipe/spec.h"

namespace neardup::bench {

struct StoreBench {
  uint64_t count = 1'000'000;  // documents that are there before the work is measured
  uint64_t num_documents = 0;  // of each work that is measured; 0: a tenth of count, but 10,000 to 1,000,000
  int max_distance = 3;
  uint32_t num_bits = 64;                // of fingerprints: 64 or 128
  std::optional<recipe::Recipe> recipe;  // texts under it; else fingerprints that come ready
  uint64_t text_bytes = 2000;            // of such a text
  int num_threads = 4;                   // callers
  uint64_t batch = 100;
  // Of the store: not there, or an empty folder; or a URI of a server, under which it has none. It stays. Empty: a
  // folder in `work_folder`, removed at the end.
  std::string folder;
  std::string work_folder = ".";
  uint64_t seed = 1;
  Context context;
};

/// What one kind of work gave.
struct StoreMeasurement {
  std::string operation;  // insert (the documents before, in large batches), query, check_and_insert, merge, reopen
  uint64_t count = 0;     // documents in the store at the end
  uint64_t num_documents = 0;
  int num_threads = 1;
  uint64_t batch = 1;
  double seconds = 0;
  double p50_us = 0, p99_us = 0, worst_us = 0;  // of a call
  // That the store, or its server, says it keeps in memory, by document, and on disk; 0: it does not tell.
  double bytes_per_item = 0, disk_bytes_per_item = 0;
  double fdatasync_per_second = 0;  // of one thread, in the second before; 0: not measured, as of a server
  uint64_t log_bytes = 0;           // at the end
};
using StoreMeasured = std::function<void(const StoreMeasurement&)>;

/// Fills a store and measures, in this order, `insert`, `query`, `check_and_insert` (every twentieth document is a
/// near-duplicate), `merge` (the same while a tenth of `count`, but a million at most, is erased and checkpoints are
/// made, each caller once at least: its worst_us is the longest that an acknowledged write took) and `reopen`, and
/// calls `measured` with each. A server is filled by all callers, a folder by one. Errors: those of the store;
/// kCancelled.
[[nodiscard]] Status run_store_bench(const StoreBench& options, const StoreMeasured& measured);

}  // namespace neardup::bench
