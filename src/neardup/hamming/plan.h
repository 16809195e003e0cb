// Plans: which tables to keep and which buckets to read so that no fingerprint within k bits is missed. Data, not code.
//
// A plan is complete where every difference of at most k bits is met by a table: by one whose block (its key's first
// `prefix_bits` places) holds at most `flips` of the differing bits. See docs/hamming.md for the lemma and its proof.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::hamming {

/// One table: all fingerprints with their bits in another order (their keys), sorted. A query reads each bucket (keys
/// with equal first `prefix_bits` places) whose number differs from its own in at most `flips` bits.
struct TableLayout {
  std::vector<uint8_t> order;  // order[i] is the bit (0 = least significant) at place i of a key, place 0 the most
                               // significant; every bit once
  int prefix_bits = 0;         // 0: one bucket, that is a linear scan
  int flips = 0;               // 0..prefix_bits
  bool operator==(const TableLayout&) const = default;
};

/// Tables that together miss nothing within max_distance.
struct Plan {
  std::string name;  // its text form (plan_text.h), such as "permuted:4,1" or "flips:26/1,26/1"
  int num_bits = 64;
  int max_distance = 3;
  std::vector<TableLayout> tables;
  bool operator==(const Plan&) const = default;
};

/// Returns the plan of the paper in its general form: the bits in `num_blocks` blocks as even as can be, one table for
/// each choice of `choose` of them as its prefix, no flips. Complete for max_distance = num_blocks - choose. (4, 1),
/// (5, 2), (6, 3) at 64 bits are the 4, 10 and 20 tables. Requires: 1 <= choose <= num_blocks <= num_bits.
[[nodiscard]] Plan permuted_plan(int num_bits, int num_blocks, int choose);

/// Returns the plan cut in two levels: `outer` blocks choose 1, and within the other bits `inner` blocks choose 1
/// (A x WXYZ; (4, 4) at 64 bits and k = 3 are the 16 tables of 28 bits). Complete for min(outer, inner) - 1.
[[nodiscard]] Plan two_level_plan(int num_bits, int outer, int inner);

/// A block of a plan with flips.
struct Block {
  int bits = 0;
  int flips = 0;
  bool operator==(const Block&) const = default;
};

/// Returns the plan with one table for each of `blocks`, which share no bit: its prefix, all differences in at most its
/// flips. Bits that no block claims stand behind. Complete where the sum of (flips + 1) is > max_distance.
/// Behind its own block a key holds the block of the first table, then the others in order, so that a key's head tells
/// where the first table holds it.
[[nodiscard]] Plan flip_plan(int num_bits, int max_distance, std::span<const Block> blocks);

/// Returns the plan with one table without prefix: every query reads everything. Complete for any distance.
[[nodiscard]] Plan scan_plan(int num_bits, int max_distance);

/// Fails unless `plan` is well-formed (orders are permutations, numbers within their ranges, 1..64 tables) and complete
/// for its max_distance; the message names a difference that no table would meet. For plans from outside too. Errors:
/// kInvalidArgument.
[[nodiscard]] Status check_plan(const Plan& plan);

/// Returns the number of buckets that a query of `table` reads: the sum of C(prefix_bits, i) for i in 0..flips.
[[nodiscard]] double num_probes(const TableLayout& table);

}  // namespace neardup::hamming
