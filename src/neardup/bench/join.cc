#include "neardup/bench/join.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/base/memory.h"
#include "neardup/base/threads.h"
#include "neardup/fingerprint/made_up.h"
#include "neardup/join/disk/stream.h"
#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"

namespace neardup::bench {
namespace {

using fingerprint::Fingerprint;

rusage usage_now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

double seconds_between(const timeval& from, const timeval& to) {
  return static_cast<double>(to.tv_sec - from.tv_sec) + 1e-6 * static_cast<double>(to.tv_usec - from.tv_usec);
}

struct alignas(64) FoundPairs {
  uint64_t pairs = 0;
  uint64_t digest = 0;
};

// Measures `join_them`, which is given the sink that counts.
template <class Join>
Result<JoinBenchResult> measure(const JoinBench& options, const Join& join_them) {
  JoinBenchResult result;
  result.num_threads = resolve_num_threads(options.num_threads);
  std::vector<FoundPairs> tallies(static_cast<size_t>(result.num_threads));
  const join::PairSink sink = [&](std::span<const join::Pair> pairs, int thread) -> Status {
    FoundPairs& tally = tallies[static_cast<size_t>(thread)];
    tally.pairs += pairs.size();
    for (const join::Pair& pair : pairs) tally.digest += mix64(pair.a << 32 ^ pair.b) ^ pair.distance;
    return {};
  };
  const join::JoinOptions join_options{options.max_distance, result.num_threads, options.memory_bytes, options.context};
  const rusage before = usage_now();
  const auto start = std::chrono::steady_clock::now();
  NEARDUP_TRY(join_them(join_options, sink));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const rusage after = usage_now();
  result.user_seconds = seconds_between(before.ru_utime, after.ru_utime);
  result.system_seconds = seconds_between(before.ru_stime, after.ru_stime);
  result.peak_bytes = peak_memory_bytes();
  for (const FoundPairs& tally : tallies) {
    result.pairs += tally.pairs;
    result.digest += tally.digest;
  }
  return result;
}

// The stored fingerprints of run_stream_bench(): known by their number.
Fingerprint stored_fingerprint(uint64_t seed, uint64_t i) { return mix64(mix64(seed + 77) + i * 0x9e3779b97f4a7c15); }

Status make_file(const JoinBench& options, const std::string& path) {
  const uint64_t size_bytes = options.count * sizeof(Fingerprint);
  if (const auto info = file_info(path)) {
    if (info->size_bytes == size_bytes) return {};
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' has {} bytes, not the {} of {} fingerprints; give another --count, or a "
                            "file that is not there: it will be made",
                            path, info->size_bytes, size_bytes, options.count));
  }
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  std::vector<Fingerprint> block;
  for (uint64_t i = 0; i < options.count;) {
    NEARDUP_TRY(options.context.check_cancel());
    block.clear();
    for (const uint64_t end = std::min(options.count, i + (1 << 17)); i < end; ++i)
      block.push_back(stored_fingerprint(options.seed, i));
    NEARDUP_TRY(file.write({reinterpret_cast<const char*>(block.data()), block.size() * sizeof(Fingerprint)}));
  }
  return file.commit();
}

}  // namespace

Result<JoinBenchResult> run_join_bench(const JoinBench& options) {
  const auto set = fingerprint::make_fingerprints(options.count, options.spread, options.seed);
  uint64_t num_kept = 0;
  auto result = measure(options, [&](const join::JoinOptions& to_join, const join::PairSink& sink) -> Status {
    if (!options.clusters) return join::self_join(set, to_join, sink);
    NEARDUP_ASSIGN(const auto kept, cluster::cluster_join(set, *options.clusters, to_join));
    for (size_t i = 0; i < kept.size(); ++i) num_kept += kept[i] == i ? 1 : 0;
    return {};
  });
  if (result && options.clusters) result->pairs = num_kept;
  return result;
}

Result<JoinBenchResult> run_stream_bench(const JoinBench& options, uint64_t num_queries, const std::string& path) {
  NEARDUP_TRY(make_file(options, path));
  fingerprint::MadeUpNumbers numbers(options.seed);
  std::vector<Fingerprint> queries(num_queries);
  for (Fingerprint& query : queries) {
    const Fingerprint stored = stored_fingerprint(options.seed, numbers.below(std::max<uint64_t>(1, options.count)));
    query = numbers.below(2) == 0 ? numbers.next() : fingerprint::flip_bits(stored, numbers.below(7), numbers);
  }
  NEARDUP_ASSIGN(const std::unique_ptr<join::Source> source, join::open_raw_file(path));
  return measure(options, [&](const join::JoinOptions& to_join, const join::PairSink& sink) {
    return join::cross_join(queries, *source, to_join, sink);
  });
}

}  // namespace neardup::bench
