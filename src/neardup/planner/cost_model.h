// What a plan costs: bytes, reads and time, predicted from the numbers of keys and the constants of a machine.
//
// Predictions are within a factor of 2 of what bench/plan_check.cc measures; see docs/design/planner.md.
#pragma once

#include <cstdint>

#include "neardup/hamming/plan.h"
#include "neardup/hamming/static_index.h"
#include "neardup/planner/machine.h"
#include "neardup/planner/skew.h"

namespace neardup::planner {

/// What is stored and asked.
struct Workload {
  uint64_t num_fingerprints = 0;  // all different
  int num_bits = 64;              // 64 or 128
  int max_distance = 3;
  hamming::Codec codec = hamming::Codec::kPacked;
  Medium medium = Medium::kRam;
};

/// What an index by a plan takes. Times are of one thread; those of queries hold where half of them have a
/// match, at each distance as often.
struct Cost {
  double bytes_per_fingerprint = 0;  // all included: tables, directories, records with document numbers
  double bytes = 0;
  double memory_bytes = 0;   // of these in memory: all, or on another medium the directories
  double probes = 0;         // buckets that a query reads
  double reads = 0;          // runs of keys that they lie in, each read at once
  double candidates = 0;     // fingerprints in them
  double confirmations = 0;  // of these, those whose whole fingerprints must be read, not counting matches
  double single_ns = 0;      // one query at a time
  double batch_ns = 0;       // each of many given together
  double build_seconds = 0;
};

/// One table among those of a plan.
struct TablePart {
  int prefix_bits = 0;
  int flips = 0;
  bool is_first = false;  // the records stand in its order
  int num_tables = 1;     // of the plan: they share the caches
  double fullness = 1;    // of its buckets, as in Skew
  int word_bits = 32;     // of a packed table
};

/// Returns what one table adds to the costs of a plan (memory_bytes and build_seconds too).
[[nodiscard]] Cost table_cost(const Workload& workload, const Machine& machine, const TablePart& part);

/// Returns what table_cost() is to know of a table of a plan. Cost: with a skew a sort of its sample.
[[nodiscard]] TablePart part_of(const hamming::Plan& plan, size_t table, const Workload& workload, const Skew& skew);

/// Returns the cost of the whole. Cost: microseconds, and with a skew a sort of its sample for each table.
[[nodiscard]] Cost plan_cost(const hamming::Plan& plan, const Workload& workload, const Machine& machine,
                             const Skew& skew);

}  // namespace neardup::planner
