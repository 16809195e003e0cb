#include "neardup/verify/short_texts.h"

#include "neardup/verify/decide.h"
#include "neardup/verify/intersect.h"

namespace neardup::verify {

Verdict compare_short_texts(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  if (a.size() < 2 || b.size() < 2) return {.similar = false};
  const std::span<const uint32_t> grams_a = a.subspan(1), grams_b = b.subspan(1);
  const double similarity = jaccard(grams_a.size(), grams_b.size(), count_common(grams_a, grams_b, 0));
  return {.similar = a[0] == b[0] && similarity >= kShortTextSimilarity, .similarity = static_cast<float>(similarity)};
}

}  // namespace neardup::verify
