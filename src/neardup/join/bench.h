// A measured join of made-up fingerprints: the same numbers from the library, the command line and bench/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/fingerprint/value.h"
#include "neardup/join/cluster_join.h"

namespace neardup::join {

/// How made-up fingerprints are spread.
enum class Spread {
  kUniform,    // random, one in twenty a neighbour (0..6 bits) of an earlier one
  kClustered,  // 30 % of them in clusters of 10..100,000 that spread over 8 bits, the rest as kUniform
  kBiased,     // as kUniform, but bit i is one with a probability of its own in 0.3..0.7
  kDense,      // 30 % of them in six clusters of members up to 2 bits from their centre: pairs beyond counting
};

/// Returns `count` fingerprints, the same for the same arguments on every machine.
[[nodiscard]] std::vector<fingerprint::Fingerprint> make_fingerprints(uint64_t count, Spread spread, uint64_t seed);

struct BenchOptions {
  uint64_t count = 10'000'000;
  int max_distance = 3;
  int num_threads = 0;  // 0 = all cores
  uint64_t memory_bytes = 0;
  Spread spread = Spread::kUniform;
  std::optional<ClusterKind> clusters = {};  // cluster_join() instead of self_join(); `pairs` is then how many stay
  uint64_t seed = 1;
  Context context;
};

struct BenchResult {
  double seconds = 0;         // wall clock of self_join() alone
  double user_seconds = 0;    // processor time of all threads
  double system_seconds = 0;  // the system's share, mostly giving out and clearing memory
  uint64_t pairs = 0;
  uint64_t digest = 0;      // of the set of pairs, whatever their order: equal joins have equal digests
  uint64_t peak_bytes = 0;  // of the whole process, the fingerprints included
  int num_threads = 0;
};

/// Joins made-up fingerprints with themselves. Errors: those of self_join() and cluster_join().
[[nodiscard]] Result<BenchResult> run_bench(const BenchOptions& options);

/// Joins `num_queries` made-up fingerprints in memory with options.count that stand in the file `path` as raw numbers,
/// which is made first where there is none of that size. Half of the queries are near a stored one. `seconds` has the
/// reading in it. Errors: those of cross_join() and of writing.
[[nodiscard]] Result<BenchResult> run_stream_bench(const BenchOptions& options, uint64_t num_queries,
                                                   const std::string& path);

}  // namespace neardup::join
