// Pairs from many threads, sorted by (a, b) within a memory limit: what does not fit goes to sorted runs on disk.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "neardup/join/pair.h"

namespace neardup::join {

/// A pair on disk.
struct PairRecord {
  uint64_t a;
  uint64_t b;
  uint64_t distance;
  auto operator<=>(const PairRecord&) const = default;
};

/// A sorted file of pairs.
struct PairRun {
  std::string path;
  uint64_t count = 0;
  uint64_t seed = 0;  // of the checksums of its blocks (blocks.h)
};

/// Receives pairs in blocks, ascending by (a, b). Threads: one.
using SortedSink = std::function<Status(std::span<const Pair>)>;

/// Delivers the pairs of all runs in order, each (a, b) once with its smallest distance. Runs that are too many for the
/// memory to be read at once are first merged into files of `folder`, which are removed. Cost: log2(runs) a pair.
/// Errors: kIo, kDiskFull, kCorruption, kCancelled, what the sink returns.
[[nodiscard]] Status merge_runs(std::vector<PairRun> runs, const std::string& folder, uint64_t memory_bytes,
                                const Context& context, const SortedSink& sink);

/// Collects pairs. `prefix` is how its files begin: folder and name; `seed` stands for the join.
class PairSorter {
 public:
  PairSorter(std::string prefix, uint64_t memory_bytes, uint64_t seed = 0);
  /// Threads: any. Errors: kIo, kDiskFull.
  [[nodiscard]] Status add(std::span<const Pair> pairs);
  /// Takes the runs that a sorter of the same prefix wrote: how many pairs each has. Before the first add().
  void go_on_from(std::span<const uint64_t> run_counts);
  /// Writes what is in memory as a run of its own. Errors: kIo, kDiskFull.
  [[nodiscard]] Status write_all();
  /// Returns the runs so far, each whole and on disk.
  [[nodiscard]] const std::vector<PairRun>& runs() const { return runs_; }
  /// Writes what is in memory too, and returns the runs, each whole and on disk. The last call.
  [[nodiscard]] Result<std::vector<PairRun>> finish_on_disk();
  /// Delivers all pairs in order, as merge_runs() does; the runs are removed. The last call.
  [[nodiscard]] Status deliver(const std::string& folder, const Context& context, const SortedSink& sink);

 private:
  Status write_run();
  [[nodiscard]] PairRun run_of(size_t run, uint64_t count) const;

  std::string prefix_;
  uint64_t memory_bytes_;
  uint64_t seed_;
  size_t capacity_;  // records in memory before a run is written
  std::mutex mutex_;
  std::vector<PairRecord> records_;
  std::vector<PairRun> runs_;  // on disk, in the order they were written
};

}  // namespace neardup::join
