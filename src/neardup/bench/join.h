// Measured joins of made-up fingerprints: the same numbers from the command line and from the programs in bench/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "neardup/base/context.h"
#include "neardup/cluster/cluster_join.h"
#include "neardup/fingerprint/made_up.h"

namespace neardup::bench {

struct JoinBench {
  uint64_t count = 10'000'000;
  int max_distance = 3;
  int num_threads = 0;  // 0 = all cores
  uint64_t memory_bytes = 0;
  fingerprint::Spread spread = fingerprint::Spread::kUniform;
  std::optional<cluster::ClusterKind> clusters =
      {};  // cluster_join() instead of self_join(); `pairs` is then how many stay
  uint64_t seed = 1;
  Context context;
};

struct JoinBenchResult {
  double seconds = 0;         // wall clock of self_join() alone
  double user_seconds = 0;    // processor time of all threads
  double system_seconds = 0;  // the system's share, mostly giving out and clearing memory
  uint64_t pairs = 0;
  uint64_t digest = 0;      // of the set of pairs, whatever their order: equal joins have equal digests
  uint64_t peak_bytes = 0;  // of the whole process, the fingerprints included
  int num_threads = 0;
};

/// Joins made-up fingerprints with themselves. Errors: those of self_join() and cluster_join().
[[nodiscard]] Result<JoinBenchResult> run_join_bench(const JoinBench& options);

/// Joins `num_queries` made-up fingerprints in memory with options.count that stand in the file `path` as raw numbers,
/// which is made first where there is none of that size. Half of the queries are near a stored one. `seconds` has the
/// reading in it. Errors: those of cross_join() and of writing.
[[nodiscard]] Result<JoinBenchResult> run_stream_bench(const JoinBench& options, uint64_t num_queries,
                                                       const std::string& path);

}  // namespace neardup::bench
