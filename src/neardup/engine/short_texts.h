// Short texts: their signatures of characters, and their comparison.
#pragma once

#include <span>

#include "neardup/engine/documents.h"
#include "neardup/engine/ranking.h"
#include "neardup/join/band_words.h"
#include "neardup/simhash/recipe.h"
#include "neardup/verify/verify.h"

namespace neardup::engine {

/// How signatures of short texts are made and cut, whatever the recipe's family: from kShortTextSimilarity on fewer
/// than one pair in a million meets in no band.
[[nodiscard]] simhash::MinHashSpec short_text_spec();

/// How many values two of them must have in common to be compared.
[[nodiscard]] int short_text_bound();

/// Returns the signatures of the character n-grams of the preferred documents of `groups[rows[0]]`, ...; they are made
/// when they are read, about 2 us each. All three must outlive it.
[[nodiscard]] join::SignatureSource short_text_signatures(const Documents& documents, const ExactGroups& groups,
                                                          std::span<const uint32_t> rows);

/// Compares two short documents by their characters. Errors: kIo, kCorruption.
[[nodiscard]] Result<verify::Verdict> compare_short(const Documents& documents, uint32_t a, uint32_t b);

}  // namespace neardup::engine
