// Are two short texts one? By their characters, for an edit of one word leaves few common word n-grams.
#pragma once

#include <cstdint>
#include <span>

#include "neardup/verify/verify.h"

namespace neardup::verify {

/// From this Jaccard similarity of character n-grams on, two short texts with the same digits are similar.
inline constexpr double kShortTextSimilarity = 0.7;

/// Compares what simhash::short_text_features() has made of two texts. `similarity` is exact. Texts with other digits
/// are not similar, whatever it is; neither are texts without features.
[[nodiscard]] Verdict compare_short_texts(std::span<const uint32_t> a, std::span<const uint32_t> b);

}  // namespace neardup::verify
