// The plans that come into question, what each costs, and the choice among them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/planner/cost_model.h"

namespace neardup::planner {

struct PlanRequest {
  uint64_t num_fingerprints = 0;
  int num_bits = 64;          // 64 or 128
  int max_distance = 3;       // 0..16 of 64 bits, 0..32 of 128
  uint64_t memory_bytes = 0;  // of one machine, for the index; 0 = no limit
  Medium medium = Medium::kRam;
  std::optional<hamming::Codec> codec;  // default: packed in memory, differences elsewhere
  Skew skew;
  Machine machine;
  std::vector<hamming::Plan> also;  // compared too; plans for this width and distance
};

/// The other way to share a plan among machines: whole tables, all fingerprints in each. A query goes to all machines;
/// what it finds goes on to the one with the first table, which holds the records: a second round.
struct TableShare {
  uint64_t machines = 0;
  uint64_t tables_each = 0;  // at most
  double bytes = 0;          // on the fullest machine
  double batch_ns = 0;       // of a query there
};

/// A plan with what it costs on one machine that holds everything, and shared among as many as it takes.
struct PlanOption {
  hamming::Plan plan;
  hamming::Codec codec = hamming::Codec::kPacked;
  Cost cost;
  bool fits = true;       // on one machine
  uint64_t machines = 1;  // of memory_bytes each, fingerprints shared evenly; every query goes to all
  Cost share;             // what each of them holds and takes
};

/// The plans compared, by tables, and the choice among them.
struct PlanTable {
  std::vector<PlanOption> options;
  size_t chosen = 0;
  std::string reason;  // of the choice, one sentence
};

/// Compares the plans of the literature with the best plans with flips for each number of tables.
/// Choice: where there is no memory limit, the plan with the least product of bytes and batch time (what a query costs
/// is memory held for a time); within a limit the fastest in batches that fits; where none fits, the one with the least
/// product of machines and batch time on each. Of plans within a tenth of the least, the one with the fewest bytes. A
/// plan not complete for max_distance is never offered. Cost: milliseconds; with a sample, a second. Errors:
/// kInvalidArgument (width, distance, a plan in `also`), kMemory (not even a machine for every fingerprint would do).
[[nodiscard]] Result<PlanTable> compare_plans(const PlanRequest& request);

/// Returns how the tables of an option would be shared; nullopt where a table does not fit on a machine, where one
/// machine holds all, or where there is no memory limit.
[[nodiscard]] std::optional<TableShare> share_by_table(const PlanRequest& request, const PlanOption& option);

/// Returns the choice of compare_plans() for evenly spread fingerprints in the memory of the machine of the default
/// constants, so that equal arguments give equal plans everywhere. Cost: milliseconds.
/// Requires: num_bits 64 or 128, max_distance in range.
[[nodiscard]] hamming::Plan default_plan(uint64_t num_fingerprints, int num_bits, int max_distance,
                                         uint64_t memory_bytes = 0);

}  // namespace neardup::planner
