// Inner part of IDF dictionaries: what an Idf holds.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/feature/idf.h"
#include "neardup/feature/idf_buckets.h"
#include "neardup/feature/idf_entries.h"

namespace neardup::feature {

/// Returns a number below `range` that grows with `x`: the place of a hash whose upper half is `x` in a table.
/// Requires: 0 < range <= 2^32.
[[nodiscard]] inline size_t scale_to_range(uint32_t x, size_t range) { return uint64_t{x} * range >> 32; }

/// What an Idf holds. Tokens are put in the table in ascending order of hash, so that the layout does not depend on who
/// was counted first.
struct Idf::Impl {
  IdfCounts counts;  // entries only where kept
  bool has_counts = true;
  Hash128 checksum;
  float median = 1;
  std::vector<IdfBucket> buckets;
  IdfTable table;
  size_t longest_probe = 0;  // buckets from a home to its entry

  /// Requires: `all` ascends by hash. Entries of the median weight are left out: unknown tokens weigh the same.
  void fill(const std::vector<IdfEntry>& all);
  /// The same for given weights. Requires: `all` ascends strictly by hash.
  void fill(const std::vector<Feature>& all);

 private:
  void begin_filling(size_t num_stored);
  void store(uint64_t hash, float weight);
  size_t last_bucket_ = 0;  // while filling: of the last token,
  size_t last_place_ = 0;   // and its place there
};

/// Returns the inside of the dictionary of `counts`, with or without keeping them.
[[nodiscard]] std::unique_ptr<Idf::Impl> make_idf(IdfCounts counts, bool keep_counts);

}  // namespace neardup::feature
