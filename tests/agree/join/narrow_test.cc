// Joins by narrow tables against the linear scan: every small distance, every kind of plan, every shape of set.
#include <gtest/gtest.h>

#include <bit>

#include "neardup/fingerprint/made_up.h"
#include "neardup/join/bit_block.h"
#include "neardup/join/narrow_solver.h"
#include "neardup/join/pair.h"
#include "neardup/match/kernels.h"
#include "tests/agree/join/linear_scan.h"

namespace neardup::join {
namespace {

// Blocks of neighbouring bits from the highest on: bits and threshold of each.
using Cuts = std::vector<std::pair<int, int>>;

JoinPlan plan_of(const Cuts& cuts) {
  JoinPlan plan;
  uint64_t free_bits = ~uint64_t{0};
  for (const auto& [bits, threshold] : cuts) {
    plan.blocks.push_back({highest_bits(free_bits, bits), threshold});
    free_bits &= ~plan.blocks.back().mask;
  }
  return plan;
}

int distance_of(const Cuts& cuts) {
  int units = 0;
  for (const auto& [bits, threshold] : cuts) units += threshold + 1;
  return units - 1;
}

/// Runs `solve` with a crew and delivers its pairs.
template <class Solve>
Pairs pairs_of(const JoinedSets& sets, int max_distance, int num_threads, size_t capacity, const Solve& solve) {
  Collector collector;
  const PairSink sink = collector.sink();
  const Context context;
  HotMemory budget(1 << 30);
  std::vector<std::unique_ptr<Emitter>> emitters;
  for (int thread = 0; thread < num_threads; ++thread)
    emitters.push_back(std::make_unique<Emitter>(sets, false, capacity, sink, context, thread));
  EXPECT_TRUE(solve(EmitterCrew{num_threads, emitters}, Environment{max_distance, context, &budget, nullptr}));
  EXPECT_TRUE(resolve_all(emitters));
  return collector.sorted();
}

const std::vector<Cuts> kPlans{{{10, 0}},
                               {{14, 1}},
                               {{7, 0}, {9, 0}},
                               {{12, 0}, {12, 0}, {11, 0}, {11, 0}},
                               {{13, 1}, {12, 0}, {12, 0}},
                               {{14, 1}, {13, 1}},
                               {{12, 2}, {13, 0}},
                               {{9, 3}},
                               {{12, 2}, {12, 1}},
                               {{11, 1}, {11, 1}, {11, 1}},
                               {{8, 5}},
                               {{10, 2}, {9, 2}}};

std::vector<Set> shapes() {
  Set hot = random_set(5000, 3, 4);
  for (size_t i = 0; i < hot.size(); ++i) hot[i] = i % 10 == 0 ? hot[i] : hot[i] & 0x00000000ffff00ff;
  Set repeated = random_set(3000, 3, 9);
  for (size_t i = 0; i < 2000; ++i) repeated.push_back(repeated[i % 70]);
  return {random_set(5000, 5, 1), clustered_set(4000, 400, 12, 3), hot, repeated, Set(300, 77), {}, {1}};
}

TEST(NarrowJoin, EveryPlanOnEveryShape) {
  for (const Set& set : shapes()) {
    const Pairs all = linear_self_join(set, 5);
    for (const Cuts& cuts : kPlans) {
      const int k = distance_of(cuts);
      const JoinedSets sets{set, set, true};
      const JoinPlan plan = plan_of(cuts);
      for (const int threads : {1, 3}) {
        const auto solve = [&](const EmitterCrew& crew, const Environment& e) {
          return solve_narrow(set, plan, crew, e);
        };
        // A small capacity resolves in between, again and again.
        expect_same(within(all, k), pairs_of(sets, k, threads, threads == 1 ? 100 : 1 << 20, solve),
                    "k " + std::to_string(k) + " blocks " + std::to_string(cuts.size()));
      }
    }
  }
}

TEST(NarrowJoin, EveryPlanBetweenSets) {
  for (const Set& set : shapes()) {
    const Set left(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(set.size() / 3));
    const Set right(set.begin() + static_cast<std::ptrdiff_t>(set.size() / 4), set.end());
    const Pairs all = linear_cross_join(left, right, 5);
    for (const Cuts& cuts : kPlans) {
      const int k = distance_of(cuts);
      const JoinPlan plan = plan_of(cuts);
      const auto solve = [&](const EmitterCrew& crew, const Environment& e) {
        return solve_narrow(left, right, plan, crew, e);
      };
      expect_same(within(all, k), pairs_of({left, right, false}, k, 2, 1 << 20, solve), "k " + std::to_string(k));
    }
  }
}

TEST(NarrowJoin, EveryInstructionSetAndEveryDistance) {
  for (const fingerprint::Spread spread :
       {fingerprint::Spread::kUniform, fingerprint::Spread::kClustered, fingerprint::Spread::kBiased}) {
    const Set set = fingerprint::make_fingerprints(9000, spread, 7);
    const Set left(set.begin(), set.begin() + 1000);
    const Pairs all = linear_self_join(set, 5), between = linear_cross_join(left, set, 5);
    Pairs swapped;
    for (const Pair& pair : between) swapped.push_back({pair.b, pair.a, pair.distance});
    std::sort(swapped.begin(), swapped.end());
    for (const std::string& target : match::kernel_targets()) {
      ASSERT_TRUE(match::force_kernel_target(target));
      for (int k = 0; k <= 5; ++k) {
        expect_same(within(all, k), fast_self_join(set, options_for(k, 2)), target + " k " + std::to_string(k));
        expect_same(within(between, k), fast_cross_join(left, set, options_for(k, 2)), target);
        expect_same(within(swapped, k), fast_cross_join(set, left, options_for(k, 2)), target + " swapped");
      }
    }
    match::force_kernel_target("");
  }
}

}  // namespace
}  // namespace neardup::join
