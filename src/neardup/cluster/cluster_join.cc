// Of m fingerprints that are all alike a list has m^2 / 2 pairs; both kinds of clusters are made from fewer, and are
// exactly those of the whole list (docs/hamming.md, "Clusters without a list").
// Stars, by halves. Invariant: when a range is solved, nothing in it is similar to a kept one before the range. So the
// range is a problem of its own, and the first kept one that is similar, in order of rank, is found in the half before
// or by the list.
// Components, in rounds. Invariant: two in one set are connected by similar pairs, and a round that ends whole has met
// every pair of different sets, so then the sets are the components. A round that gives up has united something, so the
// rounds end.
#include "neardup/cluster/cluster_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include "neardup/base/disjoint_sets.h"
#include "neardup/base/threads.h"
#include "neardup/join/collapsed.h"
#include "neardup/join/in_memory.h"

namespace neardup::cluster {
namespace {

using fingerprint::Fingerprint;
using join::JoinOptions;
using join::Pair;
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
class HalvedStars {
 public:
  HalvedStars(std::span<const Fingerprint> values, const JoinOptions& options)
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
  // A range of up to 1,448 has at most kFewPairs pairs and is always listed; the recursion is as deep as ranges can be
  // halved.
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
    const Status joined = join::self_join(values, options_, [&](std::span<const Pair> block, int) -> Status {
      const std::lock_guard lock(mutex);
      too_many = too_many || pairs.size() + block.size() > most;
      // Ends the join at once; `too_many` tells it from a wish to cancel.
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
    NEARDUP_TRY(join::cross_join(left, right, options_, [&](std::span<const Pair> pairs, int) -> Status {
      // Sinks run on many threads: the least keeper wins in any order.
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
  Numbers kept_;  // [number]: who stays in its place, itself so far
};

/// Components of distinct fingerprints. Where pairs are too many to look at, the stars tell most of what is connected;
/// then only pairs between different components are met, in rounds. A pair of two that were united meanwhile is in
/// vain; when too many were, the next round begins, which does not meet these.
class RoundedComponents {
 public:
  RoundedComponents(std::span<const Fingerprint> values, const JoinOptions& options)
      : values_(values),
        options_(options),
        most_(std::max(kFewPairs, 16 * kPairsEach * values.size())),
        sets_(static_cast<uint32_t>(values.size())) {}

  Result<Numbers> run() {
    Numbers all(values_.size());
    std::iota(all.begin(), all.end(), 0);
    bool whole = false;
    NEARDUP_TRY(unite_pairs(all, nullptr, whole));
    // A star is connected, so its members may be united; where pairs are too many, most of them lie in stars.
    if (!whole) NEARDUP_TRY(unite_by_stars());
    while (!whole) NEARDUP_TRY(unite_in_a_round(whole));
    for (uint32_t& number : all) number = sets_.find(number);
    return all;
  }

 private:
  // A component with more members than this is large: pairs in it are not met again.
  static constexpr uint32_t kLarge = 32;

  // Unites the similar pairs of `left` with `right`, or among `left`; gives up, not `whole`, where too many are in
  // vain.
  Status unite_pairs(const Numbers& left, const Numbers* right, bool& whole) {
    std::atomic<uint64_t> in_vain = 0;
    const Numbers& other = right != nullptr ? *right : left;
    const join::PairSink sink = [&](std::span<const Pair> pairs, int) -> Status {
      uint64_t united = 0;
      for (const Pair& pair : pairs) united += sets_.unite(left[pair.a], other[pair.b]) ? 1 : 0;
      if ((in_vain += pairs.size() - united) > most_) return fail(Code::kCancelled, "too many pairs to look at");
      return {};
    };
    const std::vector<Fingerprint> lefts = pick(values_, left), rights = pick(values_, other);
    const Status joined =
        right != nullptr ? join::cross_join(lefts, rights, options_, sink) : join::self_join(lefts, options_, sink);
    whole = in_vain <= most_;
    return whole ? joined : Status();
  }

  Status unite_by_stars() {
    NEARDUP_ASSIGN(const Numbers kept, HalvedStars(values_, options_).run());
    for (uint32_t i = 0; i < kept.size(); ++i) sets_.unite(i, kept[i]);
    return {};
  }

  // Each large component is a class of its own, all small ones together are class 0. The small ones are joined among
  // themselves, at most kLarge / 2 pairs each in vain. Two of different classes differ in a bit of their classes'
  // numbers: for each such bit, all with it are joined with all without. So each round that gives up has united
  // something, and met more pairs of what it united than a round costs.
  Status unite_in_a_round(bool& whole) {
    NEARDUP_TRY(options_.context.check_cancel());
    uint32_t num_classes = 0;
    const Numbers classes = find_classes(num_classes);
    NEARDUP_TRY(unite_pairs(where(classes, [](uint32_t c) { return c == 0; }), nullptr, whole));
    for (uint32_t bit = 1; whole && bit < num_classes; bit <<= 1) {
      const Numbers without = where(classes, [&](uint32_t c) { return (c & bit) == 0; });
      const Numbers with = where(classes, [&](uint32_t c) { return (c & bit) != 0; });
      NEARDUP_TRY(unite_pairs(without, &with, whole));
    }
    return {};
  }

  Numbers find_classes(uint32_t& num_classes) {
    Numbers sizes(values_.size()), class_of_root(values_.size()), classes(values_.size());
    for (uint32_t i = 0; i < values_.size(); ++i) ++sizes[sets_.find(i)];
    num_classes = 1;
    for (uint32_t i = 0; i < values_.size(); ++i) {
      const uint32_t root = sets_.find(i);  // the lowest: it comes first
      if (root == i && sizes[i] > kLarge) class_of_root[i] = num_classes++;
      classes[i] = class_of_root[root];
    }
    return classes;
  }

  template <class Wanted>
  static Numbers where(const Numbers& classes, const Wanted& wanted) {
    Numbers numbers;
    for (uint32_t i = 0; i < classes.size(); ++i) {
      if (wanted(classes[i])) numbers.push_back(i);
    }
    return numbers;
  }

  std::span<const Fingerprint> values_;
  const JoinOptions& options_;
  uint64_t most_;      // pairs in vain before a round gives up
  DisjointSets sets_;  // the lowest number of a set is its root
};

}  // namespace

Result<Numbers> cluster_join(std::span<const Fingerprint> set, ClusterKind kind, const JoinOptions& options) {
  if (set.size() > uint64_t{1} << 31) {
    return fail(Code::kInvalidArgument,
                fmt::format("{} fingerprints are more than clusters are made of (2^31); cut the set", set.size()));
  }
  const int num_threads = resolve_num_threads(options.num_threads);
  NEARDUP_ASSIGN(join::Collapsed collapsed, join::Collapsed::build(set, num_threads, options.context));
  JoinOptions quiet = options;  // many joins: their progress would begin again and again
  quiet.context.progress = nullptr;
  Result<Numbers> kept = kind == ClusterKind::kStar ? HalvedStars(collapsed.values, quiet).run()
                                                    : RoundedComponents(collapsed.values, quiet).run();
  NEARDUP_TRY(kept);
  for (uint32_t& number : collapsed.numbers) number = collapsed.positions[(*kept)[number]];
  return std::move(collapsed.numbers);
}

}  // namespace neardup::cluster
