#include "neardup/join/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "neardup/base/threads.h"
#include "neardup/join/distinct.h"
#include "neardup/join/emitter.h"
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

// One bucket for a few keys, so that a key is found at once; as the first table has it where it takes highest bits.
int prefix_bits_for(const Plan& plan, size_t size) {
  const uint64_t mask = plan.blocks[0].mask;
  const int bits = std::popcount(mask);
  if (bits > 0 && mask == highest_bits(~uint64_t{0}, bits)) return bits;
  return std::clamp(static_cast<int>(std::bit_width(size)) - 2, 0, 26);
}

std::vector<std::unique_ptr<Emitter>> make_emitters(const Distinct& left, const Distinct& right, const PairSink& sink,
                                                    int num_threads) {
  std::vector<std::unique_ptr<Emitter>> emitters;
  for (int thread = 0; thread < num_threads; ++thread) {
    emitters.push_back(std::make_unique<Emitter>(left, right, sink, thread));
  }
  return emitters;
}

Status emit_equal(const Distinct& set, const Crew& crew, const Context& context) {
  constexpr size_t kChunk = size_t{1} << 16;
  if (!set.has_equal()) return {};
  const size_t count = (set.size() + kChunk - 1) / kChunk;
  return parallel_for(crew.num_threads, count, [&](size_t index, int thread) -> Status {
    NEARDUP_TRY(context.check_cancel());
    Emitter& emitter = *crew.emitters[static_cast<size_t>(thread)];
    const size_t end = std::min(set.size(), (index + 1) * kChunk);
    for (size_t i = index * kChunk; i < end; ++i) emitter.emit_equal(set.positions(i));
    return emitter.status();
  });
}

PlanQuery query_of(const Distinct& left, const Distinct& right, const JoinOptions& options) {
  return {left.size(), right.size(), &left == &right, ~uint64_t{0}, options.max_distance};
}

Status join_distinct(const Distinct& left, const Distinct& right, const JoinOptions& options, const Crew& crew) {
  const bool self = &left == &right;
  const Problem problem{left.keys(), right.keys(), self};
  const Plan plan = choose_plan(query_of(left, right, options));
  ReadyTables ready;
  if (left.block().mask() == right.block().mask()) ready = {left.block().mask(), left.buckets(), right.buckets()};
  if (!self || options.max_distance > 0) {
    NEARDUP_TRY(solve(problem, plan, ready, {}, options.max_distance, crew, options.context));
  }
  for (const auto& emitter : crew.emitters) NEARDUP_TRY(emitter->finish());
  return {};
}

}  // namespace

Status self_join(Set set, const JoinOptions& options, const PairSink& sink) {
  NEARDUP_TRY(check(options, set, set));
  const int num_threads = resolve_num_threads(options.num_threads);
  const Plan plan = choose_plan({set.size(), set.size(), true, ~uint64_t{0}, options.max_distance});
  NEARDUP_ASSIGN(const Distinct distinct,
                 Distinct::build(set, prefix_bits_for(plan, set.size()), num_threads, options.context));
  const auto emitters = make_emitters(distinct, distinct, sink, num_threads);
  const Crew crew{num_threads, emitters};
  NEARDUP_TRY(emit_equal(distinct, crew, options.context));
  return join_distinct(distinct, distinct, options, crew);
}

Status cross_join(Set left, Set right, const JoinOptions& options, const PairSink& sink) {
  NEARDUP_TRY(check(options, left, right));
  const int num_threads = resolve_num_threads(options.num_threads);
  const Plan plan = choose_plan({left.size(), right.size(), false, ~uint64_t{0}, options.max_distance});
  const int prefix_bits = prefix_bits_for(plan, std::max(left.size(), right.size()));
  NEARDUP_ASSIGN(const Distinct distinct_left, Distinct::build(left, prefix_bits, num_threads, options.context));
  NEARDUP_ASSIGN(const Distinct distinct_right, Distinct::build(right, prefix_bits, num_threads, options.context));
  const auto emitters = make_emitters(distinct_left, distinct_right, sink, num_threads);
  return join_distinct(distinct_left, distinct_right, options, {num_threads, emitters});
}

}  // namespace neardup::join
