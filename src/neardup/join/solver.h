// The join of two lists of distinct fingerprints: plan, tables, buckets against buckets, and again inside hot ones.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/fingerprint/value.h"
#include "neardup/join/budget.h"
#include "neardup/join/emitter.h"
#include "neardup/join/plan.h"
#include "neardup/match/kernels.h"

namespace neardup::join {

/// One join: every pair of `left` and `right` (of `left` alone where `self`). All pairs of it differ in `spent` bits
/// outside `free_bits`, so only max_distance - spent bits of those may differ.
struct Problem {
  std::span<const fingerprint::Fingerprint> left;
  std::span<const fingerprint::Fingerprint> right;  // kPadding follows; equals left where self
  bool self = false;
  uint64_t free_bits = ~uint64_t{0};
  int spent = 0;
};

/// A table that is there already, for the first block of the first plan.
struct ReadyTables {
  uint64_t mask = 0;  // 0: none
  match::Buckets left;
  match::Buckets right;
};

/// What holds for all levels of one join.
struct Environment {
  int max_distance = 0;
  Context context;
  HotMemory* budget = nullptr;  // for the tables of hot buckets
  Meter* meter = nullptr;       // of the top level alone
};

/// Gives every pair of `problem` within max_distance once to an emitter of the crew. `rules` are those of the levels
/// above. Memory: one table for each side at a time. Errors: kCancelled, what the sink returns.
[[nodiscard]] Status solve(const Problem& problem, const JoinPlan& plan, const ReadyTables& ready, const Rules& rules,
                           const EmitterCrew& crew, const Environment& environment);

/// The same for the hot buckets of some table, whose plan is made here: by tables where a sample says that they pay and
/// the budget has the memory, else each with each.
[[nodiscard]] Status solve_hot(const Problem& problem, const Rules& rules, const EmitterCrew& crew,
                               const Environment& environment);

}  // namespace neardup::join
