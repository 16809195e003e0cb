// Inner part of IDF dictionaries: what an Idf holds.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/feature/idf.h"
#include "neardup/feature/idf_entries.h"

namespace neardup::feature {

/// Returns a number below `range` that grows with `x`: the place of a hash whose upper half is `x` in a table.
/// Requires: 0 < range <= 2^32.
[[nodiscard]] inline size_t scale_to_range(uint32_t x, size_t range) { return uint64_t{x} * range >> 32; }

/// Open addressing in ascending order of hash: each entry at its home or in the first free slot behind, so that the
/// layout does not depend on who inserted first. Spare slots at the end take the place of wrapping around.
struct Idf::Impl {
  struct Slot {
    uint32_t tag = 0;  // low half of the hash; the upper half gives the home
    float weight = 0;  // 0 = empty
  };

  IdfCounts counts;  // entries only where kept
  bool has_counts = true;
  Hash128 checksum;
  float median = 1;
  size_t num_homes = 1;
  std::vector<Slot> slots;
  size_t longest_probe = 0;  // slots from a home to its entry

  /// Requires: `all` ascends by hash. Entries of the median weight are left out: unknown tokens weigh the same.
  void fill(const std::vector<IdfEntry>& all);

  [[nodiscard]] size_t home(uint64_t hash) const {
    return scale_to_range(static_cast<uint32_t>(hash >> 32), num_homes);
  }
  [[nodiscard]] float find(uint64_t hash) const {
    const auto tag = static_cast<uint32_t>(hash);
    for (const Slot* slot = slots.data() + home(hash); slot->weight != 0; ++slot) {
      if (slot->tag == tag) return slot->weight;
    }
    return median;
  }
};

/// Returns the inside of the dictionary of `counts`, with or without keeping them.
[[nodiscard]] std::unique_ptr<Idf::Impl> make_idf(IdfCounts counts, bool keep_counts);

}  // namespace neardup::feature
