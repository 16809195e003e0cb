#include "neardup/join/bench.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "neardup/base/file.h"
#include "neardup/base/hash.h"
#include "neardup/base/memory.h"
#include "neardup/base/threads.h"
#include "neardup/join/disk/stream.h"
#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;

// Numbers in the order of a counter (SplitMix64): the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(mix64(seed + 1)) {}
  uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15); }
  uint64_t below(uint64_t bound) { return next() % bound; }

 private:
  uint64_t state_;
};

Fingerprint flip(Fingerprint value, uint64_t count, Random& random) {
  for (; count > 0; --count) value ^= uint64_t{1} << random.below(64);
  return value;
}

// A number whose bit i is one with probability chance[i] / 256, by comparing eight random bits of each place.
Fingerprint biased(const std::array<uint8_t, 64>& chance, Random& random) {
  uint64_t below = 0, equal = ~uint64_t{0};
  for (int bit = 7; bit >= 0; --bit) {
    uint64_t wanted = 0;
    for (size_t i = 0; i < 64; ++i) wanted |= uint64_t{chance[i]} >> bit << 63 >> (63 - i);
    const uint64_t drawn = random.next();
    below |= equal & ~drawn & wanted;
    equal &= ~(drawn ^ wanted);
  }
  return below;
}

class Maker {
 public:
  Maker(uint64_t count, Spread spread, uint64_t seed) : count_(count), spread_(spread), random_(seed) {
    for (uint8_t& chance : chance_) chance = static_cast<uint8_t>(77 + random_.below(103));
    set_.reserve(count);
  }

  std::vector<Fingerprint> make() {
    if (spread_ == Spread::kClustered) add_clusters();
    if (spread_ == Spread::kDense) add_dense();
    while (set_.size() < count_) set_.push_back(one());
    return std::move(set_);
  }

 private:
  Fingerprint one() {
    if (!set_.empty() && random_.below(20) == 0)
      return flip(set_[random_.below(set_.size())], random_.below(7), random_);
    return spread_ == Spread::kBiased ? biased(chance_, random_) : random_.next();
  }

  void add_clusters() {
    while (set_.size() < count_ * 3 / 10) {
      const Fingerprint centre = random_.next();
      uint64_t size = 10;
      while (size < 100'000 && random_.below(3) == 0) size *= 10;
      size = std::min(size, count_ * 3 / 10 - set_.size());
      for (; size > 0; --size) set_.push_back(flip(centre, random_.below(9), random_));
    }
  }

  void add_dense() {
    for (int cluster = 0; cluster < 6; ++cluster) {
      const Fingerprint centre = random_.next();
      for (uint64_t size = count_ / 20; size > 0; --size) set_.push_back(flip(centre, random_.below(3), random_));
    }
  }

  uint64_t count_;
  Spread spread_;
  Random random_;
  std::array<uint8_t, 64> chance_{};
  std::vector<Fingerprint> set_;
};

rusage usage_now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

double seconds_between(const timeval& from, const timeval& to) {
  return static_cast<double>(to.tv_sec - from.tv_sec) + 1e-6 * static_cast<double>(to.tv_usec - from.tv_usec);
}

struct alignas(64) Tally {
  uint64_t pairs = 0;
  uint64_t digest = 0;
};

}  // namespace

std::vector<Fingerprint> make_fingerprints(uint64_t count, Spread spread, uint64_t seed) {
  return Maker(count, spread, seed).make();
}

namespace {

// Measures `join`, which is given the sink that counts.
template <class Join>
Result<BenchResult> measure(const BenchOptions& options, const Join& join) {
  BenchResult result;
  result.num_threads = resolve_num_threads(options.num_threads);
  std::vector<Tally> tallies(static_cast<size_t>(result.num_threads));
  const PairSink sink = [&](std::span<const Pair> pairs, int thread) -> Status {
    Tally& tally = tallies[static_cast<size_t>(thread)];
    tally.pairs += pairs.size();
    for (const Pair& pair : pairs) tally.digest += mix64(pair.a << 32 ^ pair.b) ^ pair.distance;
    return {};
  };
  const JoinOptions join_options{options.max_distance, result.num_threads, options.memory_bytes, options.context};
  const rusage before = usage_now();
  const auto start = std::chrono::steady_clock::now();
  NEARDUP_TRY(join(join_options, sink));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const rusage after = usage_now();
  result.user_seconds = seconds_between(before.ru_utime, after.ru_utime);
  result.system_seconds = seconds_between(before.ru_stime, after.ru_stime);
  result.peak_bytes = peak_memory_bytes();
  for (const Tally& tally : tallies) {
    result.pairs += tally.pairs;
    result.digest += tally.digest;
  }
  return result;
}

// The stored fingerprints of run_stream_bench(): known by their number.
Fingerprint stored_fingerprint(uint64_t seed, uint64_t i) { return mix64(mix64(seed + 77) + i * 0x9e3779b97f4a7c15); }

Status make_file(const BenchOptions& options, const std::string& path) {
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

Result<BenchResult> run_bench(const BenchOptions& options) {
  const auto set = make_fingerprints(options.count, options.spread, options.seed);
  uint64_t num_kept = 0;
  auto result = measure(options, [&](const JoinOptions& join, const PairSink& sink) -> Status {
    if (!options.clusters) return self_join(set, join, sink);
    NEARDUP_ASSIGN(const auto kept, cluster_join(set, *options.clusters, join));
    for (size_t i = 0; i < kept.size(); ++i) num_kept += kept[i] == i ? 1 : 0;
    return {};
  });
  if (result && options.clusters) result->pairs = num_kept;
  return result;
}

Result<BenchResult> run_stream_bench(const BenchOptions& options, uint64_t num_queries, const std::string& path) {
  NEARDUP_TRY(make_file(options, path));
  Random random(options.seed);
  std::vector<Fingerprint> queries(num_queries);
  for (Fingerprint& query : queries) {
    const Fingerprint stored = stored_fingerprint(options.seed, random.below(std::max<uint64_t>(1, options.count)));
    query = random.below(2) == 0 ? random.next() : flip(stored, random.below(7), random);
  }
  NEARDUP_ASSIGN(const std::unique_ptr<Source> source, open_raw_file(path));
  return measure(
      options, [&](const JoinOptions& join, const PairSink& sink) { return cross_join(queries, *source, join, sink); });
}

}  // namespace neardup::join
