// All pairs of signatures that meet in a band, each once.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/disjoint_sets.h"
#include "neardup/join/band_words.h"
#include "neardup/join/bands.h"
#include "neardup/join/late_rows.h"
#include "neardup/join/pair.h"

namespace neardup::join {

/// Sets of rows that grow while the join runs: pairs within one set are not wanted any more.
struct GrowingSets {
  DisjointSets* sets = nullptr;            // null: all pairs are wanted
  std::span<const uint32_t> members = {};  // of each row: its number in `sets`
  uint32_t num_given = 0;                  // pairs of two of the first so many rows are not wanted either

  [[nodiscard]] uint32_t root_of(uint32_t row) const { return sets->find(members[row]); }
};

struct BandingOptions {
  std::vector<Band> bands;
  int min_equal = 0;        // pairs with fewer equal values are not delivered (the sketch bound)
  GrowingSets joined = {};  // pairs within them are not delivered; the others alone, each at once
  /// Of the bands and rows of this join, not with `joined`: a pair is delivered only if its first row is not late in a
  /// band where the two meet. Null: all are.
  const LateRows* late = nullptr;
  int num_threads = 0;        // 0 = all cores
  uint64_t memory_bytes = 0;  // for working memory beyond the source; 0 = no limit
  Context context = {};
};

/// Delivers every pair a < b of rows that agree in all values of at least one band and in at least min_equal values,
/// each once; Pair::distance is the number of values in which they differ. Blocks come in no fixed order. With `joined`
/// and a sink that unites what is similar, m rows that are all alike give about m pairs instead of m^2 / 2.
/// Cost: a pass over the signatures and a sort for each band (several passes where memory is short), then a comparison
/// for each pair and each band where it meets. Equal signatures are collapsed first, so that of m of them each band
/// sees one. With `late` a bucket of m rows gives no more than m pairs for each of its first rows. Memory: 20 bytes for
/// each row, and as much of 8 bytes for each row and band as the limit allows. Requires: bands not empty, their values
/// below signatures.num_values. Errors: kMemory (limit too small, says what it takes), kCancelled, what the source and
/// `sink` return.
[[nodiscard]] Status band_join(const SignatureSource& signatures, const BandingOptions& options, const PairSink& sink);

/// Returns the memory that band_join() needs at the least.
[[nodiscard]] uint64_t least_banding_bytes(uint64_t num_rows, int num_values, int num_threads);

}  // namespace neardup::join
