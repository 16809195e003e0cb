#include "neardup/join/cluster_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include "neardup/base/threads.h"
#include "neardup/join/collapsed.h"
#include "neardup/join/disjoint_sets.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;
using Numbers = std::vector<uint32_t>;

// A list of pairs is given up when it is longer than this, and than a few for each fingerprint.
constexpr uint64_t kFewPairs = uint64_t{1} << 20;
constexpr uint64_t kPairsEach = 4;

std::vector<Fingerprint> pick(std::span<const Fingerprint> values, const Numbers& numbers) {
  std::vector<Fingerprint> picked;
  picked.reserve(numbers.size());
  for (const uint32_t number : numbers) picked.push_back(values[number]);
  return picked;
}

/// Stars of distinct fingerprints by halves: what the first half keeps takes its share of the second half away, and
/// what is left of that half is solved alone. Only a range with few pairs is solved from their list.
class Stars {
 public:
  Stars(std::span<const Fingerprint> values, const JoinOptions& options)
      : values_(values), options_(options), kept_(values.size()) {
    std::iota(kept_.begin(), kept_.end(), 0);
  }

  /// Returns the number that stays in the place of each.
  Result<Numbers> run() {
    Numbers all(values_.size());
    std::iota(all.begin(), all.end(), 0);
    NEARDUP_TRY(solve(all));
    return std::move(kept_);
  }

 private:
  // `range` ascends; none in it is similar to a kept one before it that is not in it.
  Status solve(const Numbers& range) {
    NEARDUP_TRY(options_.context.check_cancel());
    bool listed = false;
    NEARDUP_TRY(solve_by_list(range, listed));
    if (listed) return {};
    const auto half = range.begin() + std::ssize(range) / 2;
    const Numbers first(range.begin(), half);
    NEARDUP_TRY(solve(first));
    Numbers rest;
    NEARDUP_TRY(take_away(first, Numbers(half, range.end()), rest));
    return solve(rest);
  }

  Status solve_by_list(const Numbers& range, bool& listed) {
    const uint64_t most = std::max(kFewPairs, kPairsEach * range.size());
    std::vector<Pair> pairs;
    std::mutex mutex;
    bool too_many = false;
    const std::vector<Fingerprint> values = pick(values_, range);
    const Status joined = self_join(values, options_, [&](std::span<const Pair> block, int) -> Status {
      const std::lock_guard lock(mutex);
      too_many = too_many || pairs.size() + block.size() > most;
      if (too_many) return fail(Code::kCancelled, "too many pairs to list");
      pairs.insert(pairs.end(), block.begin(), block.end());
      return {};
    });
    if (too_many) return {};
    NEARDUP_TRY(joined);
    listed = true;
    // By the worse one, the best partner first: all better ones are decided when it comes to a pair.
    std::ranges::sort(pairs, {}, [](const Pair& pair) { return std::pair(pair.b, pair.a); });
    for (const Pair& pair : pairs) {
      const uint32_t better = range[pair.a], worse = range[pair.b];
      if (kept_[worse] == worse && kept_[better] == better) kept_[worse] = better;
    }
    return {};
  }

  // Gives those of `second` that are similar to a kept one of `first` to the best such; the others are `rest`.
  Status take_away(const Numbers& first, const Numbers& second, Numbers& rest) {
    Numbers keepers;
    std::ranges::copy_if(first, std::back_inserter(keepers), [&](uint32_t number) { return kept_[number] == number; });
    const std::vector<Fingerprint> left = pick(values_, keepers), right = pick(values_, second);
    NEARDUP_TRY(cross_join(left, right, options_, [&](std::span<const Pair> pairs, int) -> Status {
      for (const Pair& pair : pairs) lower(kept_[second[pair.b]], keepers[pair.a]);
      return {};
    }));
    std::ranges::copy_if(second, std::back_inserter(rest), [&](uint32_t number) { return kept_[number] == number; });
    return {};
  }

  static void lower(uint32_t& target, uint32_t value) {
    std::atomic_ref<uint32_t> atomic(target);
    uint32_t seen = atomic.load(std::memory_order_relaxed);
    while (value < seen && !atomic.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
  }

  std::span<const Fingerprint> values_;
  const JoinOptions& options_;
  Numbers kept_;
};

/// Components of distinct fingerprints. Where pairs are too many to look at, the stars are a net: each that goes lies
/// within k of its keeper. Let u, v be similar and both gone; then v lies within 2k of the keeper of u. So v can lead
/// out of its component only if a keeper within 2k of it is in another one: few do, and only among those pairs are
/// listed.
class Components {
 public:
  Components(std::span<const Fingerprint> values, const JoinOptions& options)
      : values_(values), options_(options), sets_(static_cast<uint32_t>(values.size())) {}

  Result<Numbers> run() {
    const bool can_stop = 2 * options_.max_distance <= fingerprint::kMaxDistance;
    bool whole = false;
    NEARDUP_TRY(unite_all(can_stop ? std::max(kFewPairs, 16 * kPairsEach * values_.size()) : UINT64_MAX, whole));
    if (!whole) NEARDUP_TRY(unite_by_net());
    Numbers roots(values_.size());
    for (uint32_t i = 0; i < roots.size(); ++i) roots[i] = sets_.find(i);
    return roots;
  }

 private:
  Status unite_all(uint64_t most, bool& whole) {
    std::atomic<uint64_t> count = 0;
    const Status joined = self_join(values_, options_, [&](std::span<const Pair> pairs, int) -> Status {
      for (const Pair& pair : pairs) sets_.unite(static_cast<uint32_t>(pair.a), static_cast<uint32_t>(pair.b));
      if ((count += pairs.size()) > most) return fail(Code::kCancelled, "too many pairs to list");
      return {};
    });
    whole = count <= most;
    return whole ? joined : Status();
  }

  Status unite_by_net() {
    NEARDUP_ASSIGN(const Numbers kept, Stars(values_, options_).run());
    Numbers keepers, gone;
    for (uint32_t i = 0; i < kept.size(); ++i) {
      sets_.unite(i, kept[i]);
      (kept[i] == i ? keepers : gone).push_back(i);
    }
    const std::vector<Fingerprint> left = pick(values_, keepers), right = pick(values_, gone);
    NEARDUP_TRY(cross_join(left, right, options_, [&](std::span<const Pair> pairs, int) -> Status {
      for (const Pair& pair : pairs) sets_.unite(keepers[pair.a], gone[pair.b]);
      return {};
    }));
    NEARDUP_ASSIGN(const Numbers border, border_of(keepers, left, gone, right));
    return unite_among(border);
  }

  // Those that are gone with a keeper of another component within 2k.
  Result<Numbers> border_of(const Numbers& keepers, std::span<const Fingerprint> left, const Numbers& gone,
                            std::span<const Fingerprint> right) {
    JoinOptions wide = options_;
    wide.max_distance = 2 * options_.max_distance;
    std::vector<uint8_t> leads_out(gone.size());
    NEARDUP_TRY(cross_join(left, right, wide, [&](std::span<const Pair> pairs, int) -> Status {
      for (const Pair& pair : pairs) {
        if (sets_.find(keepers[pair.a]) == sets_.find(gone[pair.b])) continue;
        std::atomic_ref<uint8_t>(leads_out[pair.b]).store(1, std::memory_order_relaxed);
      }
      return {};
    }));
    Numbers border;
    for (size_t i = 0; i < gone.size(); ++i) {
      if (leads_out[i] != 0) border.push_back(gone[i]);
    }
    return border;
  }

  Status unite_among(const Numbers& border) {
    const std::vector<Fingerprint> values = pick(values_, border);
    return self_join(values, options_, [&](std::span<const Pair> pairs, int) -> Status {
      for (const Pair& pair : pairs) sets_.unite(border[pair.a], border[pair.b]);
      return {};
    });
  }

  std::span<const Fingerprint> values_;
  const JoinOptions& options_;
  DisjointSets sets_;
};

}  // namespace

Result<Numbers> cluster_join(std::span<const Fingerprint> set, ClusterKind kind, const JoinOptions& options) {
  if (set.size() > uint64_t{1} << 31) {
    return fail(Code::kInvalidArgument,
                fmt::format("{} fingerprints are more than clusters are made of (2^31); cut the set", set.size()));
  }
  const int num_threads = resolve_num_threads(options.num_threads);
  NEARDUP_ASSIGN(Collapsed collapsed, Collapsed::build(set, num_threads, options.context));
  JoinOptions quiet = options;  // many joins: their progress would begin again and again
  quiet.context.progress = nullptr;
  Result<Numbers> kept =
      kind == ClusterKind::kStar ? Stars(collapsed.values, quiet).run() : Components(collapsed.values, quiet).run();
  NEARDUP_TRY(kept);
  for (uint32_t& number : collapsed.numbers) number = collapsed.positions[(*kept)[number]];
  return std::move(collapsed.numbers);
}

}  // namespace neardup::join
