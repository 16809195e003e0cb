#include "neardup/join/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <vector>

#include "neardup/base/threads.h"
#include "neardup/join/distinct.h"
#include "neardup/join/emitter.h"
#include "neardup/join/parts.h"
#include "neardup/join/plan.h"
#include "neardup/join/solver.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;
using Set = std::span<const Fingerprint>;

Status check(const JoinOptions& options, Set left, Set right) {
  if (options.max_distance < 0 || options.max_distance > fingerprint::kMaxDistance) {
    return fail(Code::kInvalidArgument, fmt::format("distance {} is outside 0..{}: choose one of these",
                                                    options.max_distance, fingerprint::kMaxDistance));
  }
  if (std::max(left.size(), right.size()) > UINT32_MAX - hamming::kPadding) {
    return fail(Code::kInvalidArgument, fmt::format("{} fingerprints are more than one join takes (2^32 - 17)",
                                                    std::max(left.size(), right.size())));
  }
  return {};
}

Status emit_equal(const Distinct& set, const Crew& crew) {
  constexpr size_t kChunk = size_t{1} << 16;
  if (!set.has_equal()) return {};
  const size_t count = (set.size() + kChunk - 1) / kChunk;
  return parallel_for(crew.num_threads, count, [&](size_t index, int thread) -> Status {
    Emitter& emitter = *crew.emitters[static_cast<size_t>(thread)];
    const size_t end = std::min(set.size(), (index + 1) * kChunk);
    for (size_t i = index * kChunk; i < end; ++i) emitter.emit_equal(set.positions(i));
    return emitter.status();
  });
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
    meter_.set_tasks(std::max<uint64_t>(1, self_ ? lefts * (lefts + 1) / 2 : lefts * rights));
    for (uint64_t i = 0; i < lefts && rights > 0; ++i) NEARDUP_TRY(run_row(i, rights));
    return {};
  }

 private:
  static uint64_t count(Set set, uint64_t part) { return set.empty() ? 0 : (set.size() + part - 1) / part; }
  static Set cut(Set set, uint64_t part, uint64_t i) {
    return set.subspan(i * part, std::min(part, set.size() - i * part));
  }

  // Part i of the left set with itself (self join) and with all parts of the right set that it has not met.
  Status run_row(uint64_t i, uint64_t rights) {
    const Set left = cut(left_, sizes_.left, i);
    NEARDUP_ASSIGN(const Distinct distinct, build(left, self_ ? left : cut(right_, sizes_.right, 0)));
    if (self_) NEARDUP_TRY(run_parts(distinct, distinct, i, i));
    for (uint64_t j = self_ ? i + 1 : 0; j < rights; ++j) {
      NEARDUP_ASSIGN(const Distinct other, build(cut(right_, sizes_.right, j), left));
      NEARDUP_TRY(run_parts(distinct, other, i, j));
    }
    return {};
  }

  // One bucket for a few keys, so that a key is found at once: as the first table has it where it takes highest bits.
  Result<Distinct> build(Set set, Set other) {
    const Plan plan =
        choose_plan({set.size(), other.size(), set.data() == other.data(), ~uint64_t{0}, options_.max_distance});
    const int bits = std::popcount(plan.blocks[0].mask);
    const int fine = std::clamp(static_cast<int>(std::bit_width(set.size())) - 2, 0, 26);
    return Distinct::build(set, bits > 0 ? std::min(bits, fine) : fine, num_threads_, options_.context);
  }

  Status run_parts(const Distinct& left, const Distinct& right, uint64_t i, uint64_t j) {
    const bool self = &left == &right;
    const PairSink sink = shifted_sink(i * sizes_.left, j * sizes_.right);
    std::vector<std::unique_ptr<Emitter>> emitters;
    for (int thread = 0; thread < num_threads_; ++thread) {
      emitters.push_back(std::make_unique<Emitter>(left, right, sink, options_.context, thread));
    }
    const Crew crew{num_threads_, emitters};
    if (self) NEARDUP_TRY(emit_equal(left, crew));
    if (!self || options_.max_distance > 0) NEARDUP_TRY(solve_parts(left, right, crew));
    for (const auto& emitter : emitters) NEARDUP_TRY(emitter->finish());
    return {};
  }

  Status solve_parts(const Distinct& left, const Distinct& right, const Crew& crew) {
    const bool self = &left == &right;
    const Plan plan = choose_plan({left.size(), right.size(), self, ~uint64_t{0}, options_.max_distance});
    ReadyTables ready;
    if (left.block().mask() == right.block().mask()) ready = {left.block().mask(), left.buckets(), right.buckets()};
    const uint64_t used =
        working_bytes(sizes_.left, self_ && sizes_.left == left_.size() ? 0 : sizes_.right, num_threads_);
    MemoryBudget budget(options_.memory_bytes == 0 ? std::numeric_limits<int64_t>::max() / 2
                                                   : static_cast<int64_t>(options_.memory_bytes - used));
    const Problem problem{left.keys(), right.keys(), self};
    return solve(problem, plan, ready, {}, crew, {options_.max_distance, options_.context, &budget, &meter_});
  }

  // A sink that adds where the parts begin.
  PairSink shifted_sink(uint64_t left_begin, uint64_t right_begin) {
    if (left_begin + right_begin == 0) return sink_;
    return [this, left_begin, right_begin](std::span<const Pair> pairs, int thread) {
      std::vector<Pair> shifted(pairs.begin(), pairs.end());
      for (Pair& pair : shifted) {
        pair.a += static_cast<uint32_t>(left_begin);
        pair.b += static_cast<uint32_t>(right_begin);
      }
      return sink_(shifted, thread);
    };
  }

  Set left_, right_;
  bool self_;
  const JoinOptions& options_;
  const PairSink& sink_;
  int num_threads_;
  PartSizes sizes_;
  Meter meter_;
};

}  // namespace

Status self_join(Set set, const JoinOptions& options, const PairSink& sink) {
  NEARDUP_TRY(check(options, set, set));
  return Join(set, set, true, options, sink).run();
}

Status cross_join(Set left, Set right, const JoinOptions& options, const PairSink& sink) {
  NEARDUP_TRY(check(options, left, right));
  return Join(left, right, false, options, sink).run();
}

}  // namespace neardup::join
