#include "neardup/verify/short_texts.h"

#include <algorithm>

#include "neardup/token/short_text.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/exchanged_words.h"
#include "neardup/verify/intersect.h"

namespace neardup::verify {
namespace {

// Any difference but that of words.
ShortDifference difference_of_heads(const Rule& rule, const token::ShortText& a, const token::ShortText& b) {
  if (a.digits != b.digits) return ShortDifference::kDigits;
  if (rule.kind != Rule::Kind::kContent) return ShortDifference::kNone;
  if (a.marks != b.marks) return ShortDifference::kMarks;
  return a.pictures != 0 && b.pictures != 0 && a.pictures != b.pictures ? ShortDifference::kPictures
                                                                        : ShortDifference::kNone;
}

ShortDifference difference_of(const Rule& rule, const token::ShortText& a, const token::ShortText& b) {
  const ShortDifference of_heads = difference_of_heads(rule, a, b);
  if (of_heads != ShortDifference::kNone || rule.kind != Rule::Kind::kContent) return of_heads;
  return are_other_words(a.words, b.words) ? ShortDifference::kWords : ShortDifference::kNone;
}

}  // namespace

ShortDifference short_difference(const Rule& rule, std::span<const uint32_t> a, std::span<const uint32_t> b) {
  return difference_of(rule, token::read_short_text(a), token::read_short_text(b));
}

Verdict compare_short_texts(const Rule& rule, std::span<const uint32_t> a, std::span<const uint32_t> b, bool exactly) {
  const token::ShortText text_a = token::read_short_text(a), text_b = token::read_short_text(b);
  const auto [least, most] = std::minmax({text_a.grams.size(), text_b.grams.size()});
  if (least == 0) return {.similar = false};
  const double bound = static_cast<double>(least) / static_cast<double>(most);
  if (!exactly && (bound < kShortTextSimilarity || difference_of_heads(rule, text_a, text_b) != ShortDifference::kNone))
    return {.similar = false, .exact = false, .similarity = static_cast<float>(bound)};
  const size_t common = count_common(text_a.grams, text_b.grams, 0);
  const double similarity = jaccard(text_a.grams.size(), text_b.grams.size(), common);
  const bool enough = similarity >= kShortTextSimilarity;
  return {.similar = enough && difference_of(rule, text_a, text_b) == ShortDifference::kNone,
          .similarity = static_cast<float>(similarity)};
}

}  // namespace neardup::verify
