#include "neardup/text/mapping.h"

#include <unicode/uchar.h>
#include <unicode/uniset.h>
#include <unicode/unistr.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "neardup/text/han_fold.h"
#include "neardup/text/letters.h"
#include "neardup/text/refused.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

bool is_surrogate(char32_t c) { return (c & 0xFFFFF800) == 0xD800; }

bool has_tail(char32_t c) {
  return u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_TRAIL_CANONICAL_COMBINING_CLASS) != 0;
}

icu::UnicodeString normalized(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  icu::UnicodeString result;
  nfkc_casefold().normalize(icu::UnicodeString(static_cast<UChar32>(c)), result, error);
  return result;
}

/// Fills one page, entry by entry.
class PageBuilder {
 public:
  PageBuilder(const BuildMapping& options, char32_t first) : options_(options), first_(first) {}

  std::unique_ptr<MappingPage> build() {
    for (uint32_t i = 0; i < 256; ++i) fill(i);
    return std::move(page_);
  }

 private:
  void set(uint32_t i, Kind kind, uint32_t value = 0) {
    page_->kind[i] = kind;
    page_->value[i] = value;
  }

  void fill(uint32_t i) {
    const char32_t c = first_ + i;
    if (is_surrogate(c)) return set(i, Kind::kSame);  // never asked for
    if (options_.normalization == Normalization::kNone) return fill_single(i, c);
    if (nfkc_casefold().isInert(static_cast<UChar32>(c))) return fill_single(i, c);
    const icu::UnicodeString result = normalized(c);
    if (!nfkc_casefold().hasBoundaryBefore(static_cast<UChar32>(c))) return fill_dependent(i, result);
    if (result.countChar32() == 1) return fill_single(i, static_cast<char32_t>(result.char32At(0)));
    fill_string(i, result);
  }

  void fill_single(uint32_t i, char32_t result) {
    const char32_t c = first_ + i;
    if (is_white_space(c) || is_white_space(result)) return set(i, Kind::kSpace, result);
    const FoldedLetter folded = fold(result);
    if (folded.size_bytes == 0) return set(i, Kind::kIgnored);
    const auto* const bytes = reinterpret_cast<const char*>(&folded.bytes);
    const Decoded letter = decode_valid(bytes, bytes + folded.size_bytes);
    if (letter.size_bytes != folded.size_bytes) return set_string(i, {bytes, folded.size_bytes});
    // So that the normaliser looks at what follows it, as behind all letters that lead bytes of UTF-8 may be read as.
    const bool is_lead = options_.normalization == Normalization::kFolded && c == U'×';
    if (letter.code_point != c || is_lead) return set(i, Kind::kMapped, letter.code_point);
    const bool tail = options_.normalization != Normalization::kNone && has_tail(c);
    set(i, tail ? Kind::kSameTail : Kind::kSame);
  }

  void fill_string(uint32_t i, const icu::UnicodeString& result) {
    std::string folded;
    for (int32_t at = 0; at < result.length(); at = result.moveIndex32(at, 1)) {
      const FoldedLetter letter = fold(static_cast<char32_t>(result.char32At(at)));
      folded.append(reinterpret_cast<const char*>(&letter.bytes), letter.size_bytes);
    }
    folded.empty() ? set(i, Kind::kIgnored) : set_string(i, folded);
  }

  void set_string(uint32_t i, std::string_view utf8) {
    const size_t offset = page_->pool.size();
    page_->pool += utf8;
    set(i, Kind::kString, static_cast<uint32_t>(offset << 8 | utf8.size()));
  }

  void fill_dependent(uint32_t i, const icu::UnicodeString& result) {
    const auto c = static_cast<UChar32>(first_ + i);
    if (result.isEmpty()) return set(i, Kind::kIgnored);
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizationCheckResult check = nfkc_casefold().quickCheck(icu::UnicodeString(c), error);
    const uint8_t combining_class = u_getCombiningClass(c);
    if (check == UNORM_YES && combining_class != 0) {
      return fold(static_cast<char32_t>(c)).size_bytes == 0 ? set(i, Kind::kIgnored)
                                                            : set(i, Kind::kMark, combining_class);
    }
    if (check == UNORM_MAYBE && combining_class == 0) return set(i, Kind::kMaybe);
    set(i, Kind::kSlow);
  }

  FoldedLetter fold(char32_t c) const {
    c = fold_han(c, options_.han);
    if (options_.normalization == Normalization::kFolded) return fold_letter(c);
    FoldedLetter same;
    same.bytes = encode(c, same.size_bytes);
    return same;
  }

  const BuildMapping& options_;
  char32_t first_;
  std::unique_ptr<MappingPage> page_ = std::make_unique<MappingPage>();
};

template <Normalization kNormalization, HanFold kHan>
Mapping& table() {
  static Mapping mapping({kNormalization, kHan});
  return mapping;
}

template <Normalization kNormalization>
Mapping& table_of(HanFold han) {
  if (han == HanFold::kNone) return table<kNormalization, HanFold::kNone>();
  return han == HanFold::kAll ? table<kNormalization, HanFold::kAll>() : table<kNormalization, HanFold::kResized>();
}

}  // namespace

std::unique_ptr<MappingPage> BuildMapping::operator()(char32_t first) const {
  return PageBuilder(*this, first).build();
}

HanFold han_fold_of(const NormalizeOptions& options) {
  if (!options.fold_han) return HanFold::kNone;
  return options.han_in_place ? HanFold::kResized : HanFold::kAll;
}

char32_t fold_han(char32_t c, HanFold which) {
  if (which == HanFold::kNone || (which == HanFold::kResized && folds_in_place(c))) return c;
  return fold_han(c);
}

Mapping& shared_mapping(const NormalizeOptions& options) {
  switch (options.normalization) {
    case Normalization::kNone:
      return table_of<Normalization::kNone>(han_fold_of(options));
    case Normalization::kFolded:
      return table_of<Normalization::kFolded>(han_fold_of(options));
    case Normalization::kNfkcCasefold:
      break;
  }
  return table_of<Normalization::kNfkcCasefold>(han_fold_of(options));
}

namespace {

// What NFKC would make another number or formula of stays as it is: 10⁵ is not 105, 1½ not 11/2, 2ⁿ not 2n, ① behind
// a digit none more.
constexpr char32_t kNumberForms[][2] = {{0xB2, 0xB3},     {0xB9, 0xB9},     {0xBC, 0xBE},     {0x2070, 0x209C},
                                        {0x2150, 0x215F}, {0x2189, 0x2189}, {0x2460, 0x2473}, {0x24EA, 0x24EA},
                                        {0x3192, 0x3195}, {0x3251, 0x325F}, {0x3280, 0x3289}, {0x32B1, 0x32BF}};

icu::UnicodeSet* all_but_number_forms() {
  auto set = std::make_unique<icu::UnicodeSet>();
  for (const auto& [first, last] : kNumberForms) set->add(static_cast<UChar32>(first), static_cast<UChar32>(last));
  set->complement();
  set->freeze();
  if (set->isBogus()) throw std::bad_alloc();
  return set.release();
}

const icu::Normalizer2* make_nfkc_casefold() {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* all = icu::Normalizer2::getNFKCCasefoldInstance(error);
  // Built into the ICU library itself; it fails only where memory does.
  throw_if_refused(error);
  if (U_FAILURE(error) != 0) std::abort();
  // Never destroyed, as ICU's own are.
  static const icu::UnicodeSet& folded = *all_but_number_forms();
  return new icu::FilteredNormalizer2(*all, folded);
}

}  // namespace

const icu::Normalizer2& nfkc_casefold() {
  static const icu::Normalizer2& instance = *make_nfkc_casefold();
  return instance;
}

bool is_white_space(char32_t c) { return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0; }

}  // namespace neardup::text
