// Measured queries of made-up or given fingerprints: the same numbers from the command line and from bench/.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/base/context.h"
#include "neardup/fingerprint/made_up.h"
#include "neardup/hamming/static_index.h"

namespace neardup::bench {

struct QueryBench {
  uint64_t count = 10'000'000;
  uint64_t num_queries = 10'000;
  int max_distance = 3;
  int num_rounds = 1;   // of all queries; the one that took the least processor time counts
  int num_threads = 1;  // of the queries; the build takes all cores
  bool batch = false;   // all queries in one call for each thread
  hamming::Codec codec = hamming::Codec::kPacked;
  std::string plan;  // as parse_plan() takes it; empty: one that suits count and distance
  fingerprint::Spread spread = fingerprint::Spread::kUniform;
  uint64_t seed = 1;
  uint64_t memory_bytes = 0;  // of the build
  std::string read_folder;    // with fingerprints.u64 and queries.u64 (little-endian); empty: made up
  std::string write_folder;   // where to write them; empty: nowhere
  Context context;
};

struct QueryBenchResult {
  uint64_t count = 0;
  uint64_t num_queries = 0;
  int num_threads = 1;
  std::string plan;
  double seconds = 0;  // wall clock of all queries
  double cpu_us = 0;   // processor time of a query
  double mean_us = 0;  // wall clock of a query in its thread
  double p50_us = 0;   // one at a time only, as p99_us
  double p99_us = 0;
  double build_seconds = 0;
  double build_cpu_seconds = 0;
  uint64_t index_bytes = 0;
  uint64_t matches = 0;
  uint64_t digest = 0;  // of the set of (query, document, distance), whatever their order
};

/// Builds an index and asks it: every second query is a stored fingerprint with 0 to 3 bits flipped, the others are
/// spread as the stored ones. 1,000 queries with all bits inverted go before. Errors: kMemory, before anything is made,
/// where it takes more than memory_bytes (0: than the machine has); those of the build and of files.
[[nodiscard]] Result<QueryBenchResult> run_query_bench(const QueryBench& options);

}  // namespace neardup::bench
