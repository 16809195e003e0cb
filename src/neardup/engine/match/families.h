// Families: texts that are in good part copies of one another, as their signatures tell. The first of each say once
// what is common in a corpus, so that the copies of a text do not make it a form. Further ones count for themselves:
// what is common to many is a form that they fill in, or so widespread that only what each says of its own tells them
// apart.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/engine/options.h"
#include "neardup/join/band_words.h"
#include "neardup/join/bands.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// From this estimated Jaccard similarity of 3-grams on a text belongs to the family of an earlier one.
inline constexpr double kFamilySimilarity = 0.65;
/// So many of a family, in the order of the rows, count once together; each further one counts for itself.
inline constexpr uint32_t kFamilyMembers = 16;

/// Returns whether the signatures of `recipe` tell families: MinHash of token 3-grams.
[[nodiscard]] bool tells_families(const recipe::Recipe& recipe);

/// Returns whether n-grams are weighed by how rare they are, and signatures are of those n-grams: then the first texts
/// of a bucket stand for it (docs/design/frames.md).
[[nodiscard]] bool weighs_by_rarity(const DedupOptions& options);

/// Returns the bands in one of which two texts of a family meet. Requires: tells_families().
[[nodiscard]] Result<std::vector<join::Band>> family_bands(const recipe::MinHashSpec& spec);

/// Returns whether the signatures of two texts that meet in such a band show them to be of one family.
[[nodiscard]] bool are_of_one_family(std::span<const uint16_t> a, std::span<const uint16_t> b);

/// What finding them may take.
struct FamilyMeans {
  uint64_t memory_bytes = 0;
  int num_threads = 1;              // at least 1
  std::string scratch_folder = {};  // for a copy of signatures that do not fit in memory; empty: none is made
};

/// Returns the rows that count, ascending: of each family the first, and those behind the kFamilyMembers-th. Families
/// are stars by the signatures alone, in the order of the rows. The same for any memory and threads. Errors: what
/// `source` returns, kCancelled.
[[nodiscard]] Result<std::vector<uint32_t>> counted_rows(const join::SignatureSource& source, const FamilyMeans& means,
                                                         const Context& context);

}  // namespace neardup::engine
