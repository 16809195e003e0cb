// Where a join is put together: how the sets are cut for the memory limit, which kind of tables does the work, and how
// hits become pairs of positions. None of these choices changes a pair.
// Halves first (narrow) where the distance is small and parts of the sets are even; whole fingerprints else, with equal
// ones collapsed. In the wide case the sorted set itself is the first table, so it is cut as the plan's first block
// wants it.
// The smaller set is always the left one of the tables; `swapped` turns the hits back.
#include "neardup/join/in_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "neardup/base/threads.h"
#include "neardup/join/distinct.h"
#include "neardup/join/emitter.h"
#include "neardup/join/narrow_solver.h"
#include "neardup/join/pair.h"
#include "neardup/join/parts.h"
#include "neardup/join/plan.h"
#include "neardup/join/positions.h"
#include "neardup/join/solver.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;
using Set = std::span<const Fingerprint>;

Status check(const JoinOptions& options) {
  if (options.max_distance >= 0 && options.max_distance <= fingerprint::kMaxDistance) return {};
  return fail(Code::kInvalidArgument, fmt::format("distance {} is outside 0..{}: choose one of these",
                                                  options.max_distance, fingerprint::kMaxDistance));
}

/// One call of self_join() or cross_join(): the sets, cut into parts that fit in memory.
class Join {
 public:
  Join(Set left, Set right, bool self, const JoinOptions& options, const PairSink& sink)
      : left_(left),
        right_(right),
        self_(self),
        options_(options),
        sink_(sink),
        num_threads_(resolve_num_threads(options.num_threads)),
        meter_(options.context.progress, left.size() + (self ? 0 : right.size())) {}

  Status run() {
    NEARDUP_ASSIGN(sizes_, choose_parts(left_.size(), right_.size(), self_, num_threads_, options_.memory_bytes));
    const uint64_t lefts = count(left_, sizes_.left), rights = count(right_, sizes_.right);
    const uint64_t used = working_bytes(sizes_.left, self_ && lefts == 1 ? 0 : sizes_.right, num_threads_);
    spare_bytes_ = options_.memory_bytes == 0 ? UINT64_MAX / 4 : options_.memory_bytes - used;
    meter_.set_tasks(std::max<uint64_t>(1, self_ ? lefts * (lefts + 1) / 2 : lefts * rights));
    for (uint64_t i = 0; i < lefts && rights > 0; ++i) {
      left_distinct_.reset();  // the right parts of this one share it
      for (uint64_t j = self_ ? i : 0; j < rights; ++j) NEARDUP_TRY(run_parts(i, j));
    }
    return {};
  }

 private:
  static uint64_t count(Set set, uint64_t part) { return set.empty() ? 0 : (set.size() + part - 1) / part; }
  static Set cut(Set set, uint64_t part, uint64_t i) {
    return set.subspan(i * part, std::min(part, set.size() - i * part));
  }

  // Part i of the left set with part j of the right one, or with itself.
  Status run_parts(uint64_t i, uint64_t j) {
    const bool self = self_ && i == j;
    const JoinedSets sets{cut(left_, sizes_.left, i), cut(right_, sizes_.right, j), self, i * sizes_.left,
                          j * sizes_.right};
    const bool swapped = !self && sets.left.size() > sets.right.size();
    const uint64_t size = sets.left.size() + (self ? 0 : sets.right.size());
    std::optional<ValuePositions> left, right;
    if (many_hits(size)) {
      NEARDUP_ASSIGN(left, ValuePositions::find(sets.left, sets.left, num_threads_, options_.context));
      if (!self) {
        NEARDUP_ASSIGN(right, ValuePositions::find(sets.right, sets.right, num_threads_, options_.context));
      }
    }
    std::vector<std::unique_ptr<Emitter>> emitters;
    for (int thread = 0; thread < num_threads_; ++thread) {
      emitters.push_back(
          left
              ? std::make_unique<Emitter>(sets, swapped, *left, right ? *right : *left, sink_, options_.context, thread)
              : std::make_unique<Emitter>(sets, swapped, hit_capacity(size), sink_, options_.context, thread));
    }
    HotMemory budget(static_cast<int64_t>(spare_bytes_ / 2));
    const Environment environment{options_.max_distance, options_.context, &budget, &meter_};
    NEARDUP_TRY(solve_parts(sets, swapped, {num_threads_, emitters}, environment));
    return resolve_all(emitters);
  }

  // A large distance finds many pairs in a set, as many as documents or a hundred times more. Then all positions are
  // looked up beforehand, where that takes little memory, for sorting the hits by their values would take longer.
  [[nodiscard]] bool many_hits(uint64_t size) const {
    constexpr uint64_t kMost = uint64_t{1} << 22, kBytesPerFingerprint = 48;
    return options_.max_distance > match::kMaxNarrowDistance && size <= kMost &&
           kBytesPerFingerprint * size <= spare_bytes_ / 2;
  }

  // Without a limit, hits are resolved once for many: then the look through the sets costs little for each.
  [[nodiscard]] uint64_t hit_capacity(uint64_t size) const {
    const uint64_t wanted = std::clamp<uint64_t>(size / 4, uint64_t{1} << 16, (uint64_t{1} << 22) + size / 16);
    const uint64_t share = spare_bytes_ / 2 / static_cast<uint64_t>(num_threads_);
    return std::clamp(share / resolve_bytes_per_hit(), kFewestHits, wanted);
  }
  static uint64_t resolve_bytes_per_hit() { return (resolve_bytes(1 << 20) - resolve_bytes(0)) >> 20; }

  Status solve_parts(const JoinedSets& sets, bool swapped, const EmitterCrew& crew, const Environment& environment) {
    const Set small = swapped ? sets.right : sets.left, large = swapped ? sets.left : sets.right;
    PlanQuery query{small.size(), large.size(), sets.self, ~uint64_t{0}, options_.max_distance};
    query.narrow = true;
    const JoinPlan plan = choose_plan(query);
    if (!fits_narrow(small, large, plan)) return solve_wide(sets, swapped, crew, environment);
    return sets.self ? solve_narrow(small, plan, crew, environment)
                     : solve_narrow(small, large, plan, crew, environment);
  }

  [[nodiscard]] bool fits_narrow(Set small, Set large, const JoinPlan& plan) const {
    constexpr size_t kFew = size_t{1} << 12;  // below, parts to share among threads are tiny
    const uint64_t scratch = narrow_scratch_bytes(large.size()) * static_cast<uint64_t>(num_threads_);
    return options_.max_distance <= match::kMaxNarrowDistance && !plan.is_scan() && large.size() >= kFew &&
           spare_bytes_ / 2 >= scratch && evenly_spread(small, plan) && evenly_spread(large, plan);
  }

  // For large distances, few fingerprints and very uneven ones: tables of whole fingerprints, equal ones collapsed
  // first.
  Status solve_wide(const JoinedSets& sets, bool swapped, const EmitterCrew& crew, const Environment& environment) {
    if (!left_distinct_) {
      NEARDUP_ASSIGN(left_distinct_, build(sets.left, sets.right, sets.self));
    }
    if (sets.self) {
      for (const Fingerprint value : left_distinct_->repeated()) crew.emitter(0).repeat(value);
      return options_.max_distance == 0 ? Status()
                                        : solve_distinct(*left_distinct_, *left_distinct_, crew, environment);
    }
    NEARDUP_ASSIGN(const Distinct right, build(sets.right, sets.left, false));
    return swapped ? solve_distinct(right, *left_distinct_, crew, environment)
                   : solve_distinct(*left_distinct_, right, crew, environment);
  }

  Status solve_distinct(const Distinct& left, const Distinct& right, const EmitterCrew& crew,
                        const Environment& environment) {
    const bool self = &left == &right;
    const JoinPlan plan = choose_plan({left.size(), right.size(), self, ~uint64_t{0}, options_.max_distance});
    ReadyTables ready;
    if (left.block().mask() == right.block().mask()) ready = {left.block().mask(), left.buckets(), right.buckets()};
    return solve({left.keys(), right.keys(), self}, plan, ready, {}, crew, environment);
  }

  // Buckets as the first table has them where it takes highest bits.
  Result<Distinct> build(Set set, Set other, bool self) {
    const JoinPlan plan = choose_plan({set.size(), other.size(), self, ~uint64_t{0}, options_.max_distance});
    const int bits = std::popcount(plan.blocks[0].mask);
    if (bits == 0) return Distinct::build_fine(set, num_threads_, options_.context);
    return Distinct::build(set, bits, num_threads_, options_.context);
  }

  Set left_, right_;
  bool self_;
  const JoinOptions& options_;
  const PairSink& sink_;
  int num_threads_;
  PartSizes sizes_;
  uint64_t spare_bytes_ = 0;               // what the limit leaves: for hits and for tables of hot buckets
  std::optional<Distinct> left_distinct_;  // of the part in hand
  Meter meter_;
};

}  // namespace

Status self_join(Set set, const JoinOptions& options, const PairSink& sink) {
  NEARDUP_TRY(check(options));
  return Join(set, set, true, options, sink).run();
}

Status cross_join(Set left, Set right, const JoinOptions& options, const PairSink& sink) {
  NEARDUP_TRY(check(options));
  return Join(left, right, false, options, sink).run();
}

}  // namespace neardup::join
