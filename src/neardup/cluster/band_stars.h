// Stars straight from the buckets of bands: no list of candidate pairs, which is hopelessly long where many are alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/cluster/assignment.h"
#include "neardup/join/band_words.h"
#include "neardup/join/bands.h"
#include "neardup/join/late_rows.h"

namespace neardup::cluster {

/// Signatures as rows: row i has the num_values values from i * num_values on.
struct BandedSignatures {
  std::span<const uint16_t> values;
  int num_values = 128;
  std::vector<join::Band> bands;
  int min_equal = 0;                     // pairs with fewer equal values are no candidates
  std::span<const uint32_t> ranks = {};  // of each row, ascending; of the first layer empty: row i has rank i
  /// Of the rows of a bucket the first so many are compared with all behind them, and no others there; 0: all with all.
  uint32_t most_members = 0;
  /// Where the rows are some of a larger set: the late rows of all of it, and which of them each row is. Null: rows are
  /// late by their own buckets.
  const join::LateRows* late = nullptr;
  std::span<const uint32_t> rows_of_late = {};
};

struct BandStars {
  std::vector<Assignment> assignments;  // one for each rank; `distance` is the number of differing values
  uint64_t num_candidates = 0;          // pairs with a kept document that met in a band and passed the sketch bound
  uint64_t num_settled = 0;             // ranks that are alone in all bands: kept without any comparison
};

/// Returns what star_clusters() makes of all pairs of join::band_join(). layers[0] holds all ranks; where there is a
/// layers[1], two ranks that are both in it are candidates by their signatures there, and not by those of layers[0].
/// Only pairs with a document that is kept are looked at: of a cluster of m that are all alike, about m pairs instead
/// of m^2 / 2; and of these none with a row that is late (join/late_rows.h) in all bands where the two meet, so that no
/// more than most_members are looked at for each band. Memory: band_stars_bytes() of each layer, the signatures
/// included. Requires: one or two layers. Errors: what `verify` returns, kCancelled.
[[nodiscard]] Result<BandStars> band_stars(std::span<const BandedSignatures> layers, const Verify& verify,
                                           const ClusterOptions& options);

/// Signatures that lie somewhere: row i of `source` has rank ranks[i]; of the first layer `ranks` is empty: rank i.
struct BandedSource {
  join::SignatureSource source;
  std::vector<join::Band> bands;
  int min_equal = 0;
  std::span<const uint32_t> ranks = {};
  const join::LateRows* late = nullptr;  // of `source`, by the number of members that are compared; null: none is late
};

/// The same stars with the signatures of at most `ranks_at_once` ranks in memory: ranks part by part, each against what
/// was kept of those before. Cost: as band_stars() of n * n / ranks_at_once ranks. num_settled is not counted: 0.
/// Memory: band_stars_bytes() of ranks_at_once for each layer, and 17 bytes for each rank. Requires:
/// ranks_at_once >= 2. Errors: what `verify` and the sources return, kCancelled.
[[nodiscard]] Result<BandStars> band_stars_in_parts(std::span<const BandedSource> layers, uint32_t ranks_at_once,
                                                    const Verify& verify, const ClusterOptions& options);

/// Returns an upper bound of the memory that band_stars() takes for so many ranks.
[[nodiscard]] uint64_t band_stars_bytes(uint64_t num_ranks, int num_values, uint64_t num_bands, int num_threads);

/// So many ranks tell what one takes.
inline constexpr uint64_t kSampleRanks = 65536;
/// Returns the ranks_at_once of `num_ranks` ranks for so much memory, where kSampleRanks of them take `sample_bytes`:
/// at least 4,096.
[[nodiscard]] uint32_t band_stars_ranks(uint64_t num_ranks, uint64_t memory_bytes, uint64_t sample_bytes);

}  // namespace neardup::cluster
