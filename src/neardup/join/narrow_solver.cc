// Up to kMaxNarrowDistance bits, 32 of a fingerprint's bits tell nearly all pairs apart. So tables keep low and high
// halves apart, and the kernel reads low halves alone, twice as many to a register (match/narrow.h).
// A block without flips compares each bucket with itself only: its parts are made in cache, scanned and forgotten. A
// block with flips needs buckets of other parts, so its table stays.
// Invariants: blocks are done in the order of the plan, and rules_ holds those that are done, so a pair is given out by
// the first table that must meet it and by no other. Tables collapse equal fingerprints, so no cost here grows with
// copies. A bucket far above its share is no work for the kernel: it becomes a join of its own on the bits that are
// left.
// Proof: docs/hamming.md, "Why it is complete" and "Hot buckets".
#include "neardup/join/narrow_solver.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "neardup/base/threads.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;
using match::NarrowBuckets;
using match::NarrowMasks;
using match::NarrowScan;

// Fingerprints of one stretch of the table: their low halves and ranges are a fraction of the second-level cache.
constexpr size_t kStretch = size_t{1} << 14;
constexpr int kMinUnitBits = 6;
// A bucket of so many fingerprints gets all threads.
constexpr size_t kHugeNarrowBucket = size_t{1} << 17;

/// masks[n]: the numbers of `bits` bits with n ones, up to `max_ones`.
std::vector<std::vector<uint32_t>> masks_by_ones(int bits, int max_ones) {
  std::vector<std::vector<uint32_t>> masks(static_cast<size_t>(max_ones) + 1);
  for (const uint32_t mask : masks_within(bits, max_ones))
    masks[static_cast<size_t>(std::popcount(mask))].push_back(mask);
  return masks;
}

std::vector<NarrowMasks> groups_of(const std::vector<std::vector<uint32_t>>& masks, size_t first_ones, bool upward) {
  std::vector<NarrowMasks> groups;
  for (size_t ones = first_ones; ones < masks.size(); ++ones) {
    if (!masks[ones].empty()) groups.push_back({masks[ones], static_cast<int>(ones), upward});
  }
  return groups;
}

// Eight times an even share: the bound on what a fingerprint costs in a skewed set (docs/hamming.md, Hot buckets).
uint32_t max_bucket_of(size_t size, int bits) {
  return static_cast<uint32_t>(std::max<size_t>(64, 8 * (size >> bits)));
}

/// Returns the buckets with more than `most` fingerprints, ascending.
std::vector<uint32_t> find_hot(const NarrowBuckets& buckets, int bits, uint32_t most) {
  std::vector<uint32_t> hot;
  for (uint32_t x = 0; x < uint32_t{1} << bits; ++x) {
    if (buckets.ranges[x].size() > most) hot.push_back(x);
  }
  return hot;
}

/// Two tables of a block (or one twice), and the comparing of buckets that hold far more than their share.
struct HotBuckets {
  NarrowBuckets left;
  NarrowBuckets right;
  bool self;
  JoinBlock block;
  uint32_t max_bucket;
  const Environment& environment;

  // Whole values, as the kernels for hot buckets want them; the kernels read a vector beyond the end.
  static LargeArray<Fingerprint> gather(const NarrowBuckets& side, uint32_t x) {
    const match::NarrowRange range = side.ranges[x];
    LargeArray<Fingerprint> values(range.size() + match::kPadding);
    for (uint32_t i = range.begin; i < range.end; ++i) values[i - range.begin] = side.value(x, i);
    std::fill_n(values.data() + range.size(), match::kPadding, 0);
    return values;
  }

  /// Bucket x against x ^ mask for the masks of all groups: small buckets directly, hot ones by the bits that are left.
  Status match(uint32_t x, std::span<const NarrowMasks> groups, const EmitterCrew& crew, const Rules& rules) const {
    const LargeArray<Fingerprint> values = gather(left, x);
    const std::span<const Fingerprint> own{values.data(), left.ranges[x].size()};
    // Pairs of two buckets belong to the lower one, as in the kernel.
    if (self) NEARDUP_TRY(nested(own, own, 0, crew, rules));
    for (const NarrowMasks& group : groups) {
      for (const uint32_t mask : group.masks) {
        const uint32_t y = x ^ mask, size = right.ranges[y].size();
        if ((self && y < x) || size == 0) continue;
        const LargeArray<Fingerprint> others = gather(right, y);
        NEARDUP_TRY(against(own, {others.data(), size}, group.ones, crew, rules));
      }
    }
    return {};
  }

  Status against(std::span<const Fingerprint> own, std::span<const Fingerprint> other, int spent,
                 const EmitterCrew& crew, const Rules& rules) const {
    if (other.size() > max_bucket) return nested(own, other, spent, crew, rules);
    NEARDUP_TRY(environment.context.check_cancel());
    Emitter& emitter = crew.emitter(0);
    emitter.set_rules(&rules);
    match::match_lists(own, other, environment.max_distance, emitter.hits());
    emitter.hits().flush();
    return emitter.status();
  }

  // All these pairs differ in `spent` bits of the block, so the join of the bits outside has that many fewer to spend.
  Status nested(std::span<const Fingerprint> own, std::span<const Fingerprint> other, int spent,
                const EmitterCrew& crew, const Rules& rules) const {
    const Problem part{own, other, own.data() == other.data(), ~block.mask, spent};
    return solve_hot(part, rules, crew, environment);
  }
};

/// The self join of one set by one plan.
class SelfSolver {
 public:
  SelfSolver(std::span<const Fingerprint> set, const JoinPlan& plan, const EmitterCrew& crew,
             const Environment& environment)
      : set_(set), plan_(plan), crew_(crew), environment_(environment), context_(environment.context) {}

  Status run() {
    for (const JoinBlock& block : plan_.blocks) {
      NEARDUP_TRY(block.threshold == 0 ? run_passing(block) : run_table(block));
      // Hits that are still held were found by this block: they are judged before it becomes a rule.
      for (const auto& emitter : crew_.emitters) emitter->hits().flush();
      rules_.push_back(block);
    }
    return {};
  }

 private:
  void advance(size_t steps) const {
    if (environment_.meter == nullptr) return;
    environment_.meter->add(1.0 / static_cast<double>(plan_.blocks.size() * steps));
  }
  // Only the first table tells: all tables find the same.
  void report(const Repeated& repeated, Emitter& emitter) const {
    if (!rules_.empty()) return;
    for (const Fingerprint value : repeated) emitter.repeat(value);
  }
  [[nodiscard]] HotBuckets hot_buckets(const JoinBlock& block, const NarrowBuckets& buckets) const {
    return {buckets, buckets, true, block, max_bucket_of(set_.size(), std::popcount(block.mask)), environment_};
  }

  // A table without flips: each bucket meets itself alone, so parts need not stay.
  Status run_passing(const JoinBlock& block) {
    const NarrowCut cut(block, set_.size());
    Parts& parts = table_.parts();
    NEARDUP_TRY(parts.build(set_, cut, crew_.num_threads, context_));
    std::vector<PassingPart> passing(static_cast<size_t>(crew_.num_threads));
    return parallel_for(crew_.num_threads, cut.num_parts(), [&](size_t i, int thread) -> Status {
      NEARDUP_TRY(context_.check_cancel());
      PassingPart& part = passing[static_cast<size_t>(thread)];
      Repeated repeated;
      part.build(parts.part(i), cut, repeated);
      report(repeated, crew_.emitter(thread));
      advance(cut.num_parts());
      return scan(hot_buckets(block, part.buckets()), 0, cut.part_buckets(), {}, thread);
    });
  }

  Status run_table(const JoinBlock& block) {
    const NarrowCut cut(block, set_.size());
    Repeated repeated;
    NEARDUP_TRY(table_.build(set_, cut, crew_.num_threads, repeated, context_));
    report(repeated, crew_.emitter(0));
    const HotBuckets hot = hot_buckets(block, table_.buckets());
    // Small enough that a unit and the one it meets stay in cache, many enough to share among threads.
    const int unit_bits = std::clamp(static_cast<int>(std::bit_width(set_.size() / kStretch)),
                                     std::min(kMinUnitBits, cut.bits), cut.bits);
    const int low_bits = cut.bits - unit_bits;
    const auto high = masks_within(unit_bits, block.threshold);
    const auto low = masks_by_ones(low_bits, std::min(block.threshold, low_bits));
    const auto count = size_t{1} << unit_bits;
    // Huge buckets wait until the loop is over: then each of them has all threads, and no thread is left with one
    // alone.
    huge_.clear();
    NEARDUP_TRY(parallel_for(crew_.num_threads, count, [&](size_t unit, int thread) -> Status {
      NEARDUP_TRY(context_.check_cancel());
      const auto others = masks_to_others(static_cast<uint32_t>(unit), high, low, low_bits, block.threshold);
      std::vector<NarrowMasks> groups = groups_of(low, 1, true);
      for (const NarrowMasks& group : groups_of(others, 1, false)) groups.push_back(group);
      advance(count);
      const auto begin = static_cast<uint32_t>(unit << low_bits);
      return scan(hot, begin, begin + (uint32_t{1} << low_bits), groups, thread);
    }));
    return match_huge(hot, masks_by_ones(cut.bits, block.threshold));
  }

  // Masks from one unit to those behind it, by ones: the high bits choose the unit, the low ones walk in it.
  static std::vector<std::vector<uint32_t>> masks_to_others(uint32_t unit, const std::vector<uint32_t>& high,
                                                            const std::vector<std::vector<uint32_t>>& low, int low_bits,
                                                            int threshold) {
    std::vector<std::vector<uint32_t>> masks(static_cast<size_t>(threshold) + 1);
    for (const uint32_t mask : high) {
      if (mask == 0 || (unit ^ mask) < unit) continue;
      const auto ones = static_cast<size_t>(std::popcount(mask));
      for (size_t more = 0; more < low.size() && ones + more < masks.size(); ++more) {
        for (const uint32_t inner : low[more]) masks[ones + more].push_back(mask << low_bits | inner);
      }
    }
    return masks;
  }

  Status scan(const HotBuckets& hot, uint32_t begin, uint32_t end, std::span<const NarrowMasks> groups, int thread) {
    Emitter& emitter = crew_.emitter(thread);
    emitter.set_rules(&rules_);
    size_t most = 1;
    for (const NarrowMasks& group : groups) most = std::max(most, group.masks.size());
    std::vector<uint32_t> scratch(most);
    const NarrowScan scan{hot.left, hot.right, begin, end, groups, true, hot.max_bucket, scratch.data()};
    match::scan_narrow(scan, environment_.max_distance, emitter.hits());
    emitter.hits().flush();
    // The kernel passes over hot buckets as x only; where one is x ^ mask of a small x it is compared from there.
    for (uint32_t x = begin; x < end; ++x) {
      if (hot.left.ranges[x].size() <= hot.max_bucket) continue;
      NEARDUP_TRY(match_hot(hot, x, groups, thread));
    }
    return emitter.status();
  }

  // Buckets of a table stay, so the hugest can wait for all threads.
  Status match_hot(const HotBuckets& hot, uint32_t x, std::span<const NarrowMasks> groups, int thread) {
    const bool stays = hot.block.threshold > 0 && crew_.num_threads > 1;
    if (!stays || hot.left.ranges[x].size() < kHugeNarrowBucket)
      return hot.match(x, groups, crew_.alone(thread), rules_);
    const std::lock_guard lock(mutex_);
    huge_.push_back(x);
    return {};
  }

  Status match_huge(const HotBuckets& hot, const std::vector<std::vector<uint32_t>>& masks) {
    const auto groups = groups_of(masks, 1, true);
    for (const uint32_t x : huge_) NEARDUP_TRY(hot.match(x, groups, crew_, rules_));
    return {};
  }

  std::span<const Fingerprint> set_;
  const JoinPlan& plan_;
  const EmitterCrew& crew_;
  const Environment& environment_;
  const Context& context_;
  Rules rules_;  // the blocks that are done
  NarrowTable table_;
  std::mutex mutex_;
  std::vector<uint32_t> huge_;  // hot buckets that wait for all threads; under mutex_
};

/// One block of a NarrowProbe against one chunk.
class ChunkSolver {
 public:
  /// `hot`: find_hot() of the left buckets with more than max_bucket.
  ChunkSolver(const NarrowBuckets& left, uint32_t max_bucket, const std::vector<uint32_t>& hot, const NarrowCut& cut,
              const JoinBlock& block, const Rules& rules, const EmitterCrew& crew, const Environment& environment)
      : left_(left),
        hot_(hot),
        cut_(cut),
        block_(block),
        rules_(rules),
        crew_(crew),
        environment_(environment),
        max_bucket_(max_bucket),
        high_(masks_within(cut.bits - cut.low_bits, block.threshold)),
        low_(masks_by_ones(cut.low_bits, std::min(block.threshold, cut.low_bits))) {}

  Status run(Parts& parts) {
    std::vector<PassingPart> passing(static_cast<size_t>(crew_.num_threads));
    return parallel_for(crew_.num_threads, cut_.num_parts(), [&](size_t i, int thread) -> Status {
      PassingPart& part = passing[static_cast<size_t>(thread)];
      Repeated repeated;
      part.build(parts.part(i), cut_, repeated);
      Emitter& emitter = crew_.emitter(thread);
      emitter.set_rules(&rules_);
      for (const uint32_t mask : high_) {
        NEARDUP_TRY(environment_.context.check_cancel());
        NEARDUP_TRY(scan_unit(static_cast<uint32_t>(i) ^ mask, std::popcount(mask), part.buckets(), thread));
      }
      emitter.hits().flush();
      return emitter.status();
    });
  }

 private:
  // The left buckets of one unit against the buckets of the part that is at hand, `ones` flips away. Numbers of left
  // buckets hold the unit, those of the part begin at 0: the masks take the unit away.
  Status scan_unit(uint32_t unit, int ones, const NarrowBuckets& part, int thread) {
    const uint32_t begin = unit << cut_.low_bits, end = begin + cut_.part_buckets();
    std::vector<std::vector<uint32_t>> masks(
        low_.begin(), low_.begin() + std::min<std::ptrdiff_t>(std::ssize(low_), block_.threshold - ones + 1));
    for (auto& list : masks) {
      for (uint32_t& mask : list) mask ^= begin;
    }
    std::vector<NarrowMasks> groups = groups_of(masks, 0, false);
    for (NarrowMasks& group : groups) group.ones += ones;
    const NarrowScan scan{left_, part, begin, end, groups, false, max_bucket_, nullptr};
    Emitter& emitter = crew_.emitter(thread);
    match::scan_narrow(scan, environment_.max_distance, emitter.hits());
    emitter.hits().flush();
    const HotBuckets hot{left_, part, false, block_, max_bucket_, environment_};
    for (auto x = std::ranges::lower_bound(hot_, begin); x != hot_.end() && *x < end; ++x) {
      NEARDUP_TRY(hot.match(*x, groups, crew_.alone(thread), rules_));
      emitter.set_rules(&rules_);  // a nested join leaves its own
    }
    return emitter.status();
  }

  const NarrowBuckets left_;
  const std::vector<uint32_t>& hot_;  // ascending
  const NarrowCut& cut_;
  const JoinBlock& block_;
  const Rules& rules_;
  const EmitterCrew& crew_;
  const Environment& environment_;
  uint32_t max_bucket_;
  std::vector<uint32_t> high_;              // masks from one part to others
  std::vector<std::vector<uint32_t>> low_;  // [ones]: masks inside a part
};

}  // namespace

Status solve_narrow(std::span<const Fingerprint> set, const JoinPlan& plan, const EmitterCrew& crew,
                    const Environment& environment) {
  return SelfSolver(set, plan, crew, environment).run();
}

Status solve_narrow(std::span<const Fingerprint> left, std::span<const Fingerprint> right, const JoinPlan& plan,
                    const EmitterCrew& crew, const Environment& environment) {
  Rules rules;
  Parts parts;
  NarrowTable table;
  for (const JoinBlock& block : plan.blocks) {
    const NarrowCut cut(block, right.size());  // by the side that passes: its parts must fit in cache
    Repeated repeated;
    // Repeated values need no report between two sets: a hit names values, and stands for all positions of both.
    NEARDUP_TRY(table.build(left, cut, crew.num_threads, repeated, environment.context));
    NEARDUP_TRY(parts.build(right, cut, crew.num_threads, environment.context));
    const uint32_t max_bucket = max_bucket_of(left.size(), cut.bits);
    const auto hot = find_hot(table.buckets(), cut.bits, max_bucket);
    NEARDUP_TRY(ChunkSolver(table.buckets(), max_bucket, hot, cut, block, rules, crew, environment).run(parts));
    for (const auto& emitter : crew.emitters) emitter->hits().flush();
    if (environment.meter != nullptr) environment.meter->add(1.0 / static_cast<double>(plan.blocks.size()));
    rules.push_back(block);
  }
  return {};
}

Result<NarrowProbe> NarrowProbe::build(std::span<const Fingerprint> left, uint64_t chunk_size, const JoinPlan& plan,
                                       int num_threads, const Context& context) {
  NarrowProbe probe;
  for (const JoinBlock& block : plan.blocks) {
    probe.sides_.push_back(std::make_unique<Side>(Side{block, NarrowCut(block, chunk_size), {}, 0, {}}));
    Side& side = *probe.sides_.back();
    Repeated repeated;
    NEARDUP_TRY(side.table.build(left, side.cut, num_threads, repeated, context));
    side.max_bucket = max_bucket_of(left.size(), side.cut.bits);
    side.hot = find_hot(side.table.buckets(), side.cut.bits, side.max_bucket);
  }
  return probe;
}

Status NarrowProbe::join(std::span<const Fingerprint> chunk, const EmitterCrew& crew, const Environment& environment) {
  Rules rules;
  for (const auto& side : sides_) {
    NEARDUP_TRY(parts_.build(chunk, side->cut, crew.num_threads, environment.context));
    ChunkSolver solver(side->table.buckets(), side->max_bucket, side->hot, side->cut, side->block, rules, crew,
                       environment);
    NEARDUP_TRY(solver.run(parts_));
    for (const auto& emitter : crew.emitters) emitter->hits().flush();
    rules.push_back(side->block);
  }
  return {};
}

// Two halves of 4 bytes for each fingerprint, a range of 8 bytes for each bucket.
uint64_t NarrowProbe::left_bytes(uint64_t left, const JoinPlan& plan) {
  uint64_t bytes = 0;
  for (const JoinBlock& block : plan.blocks) bytes += 8 * left + (uint64_t{8} << std::popcount(block.mask));
  return bytes;
}

}  // namespace neardup::join
