#include "neardup/text/letters.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string_view>

#include "neardup/text/pages.h"
#include "neardup/text/refused.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

struct LetterFold {
  char32_t from;
  std::string_view to;
};

// What no decomposition tells. Ascending.
constexpr LetterFold kLetterFolds[] = {
    {0xE6, "ae"},       // ae
    {0xF0, "d"},        // eth
    {0xF8, "o"},        // o with stroke
    {0xFE, "th"},       // thorn
    {0x111, "d"},       // d with stroke
    {0x127, "h"},       // h with stroke
    {0x131, "i"},       // dotless i
    {0x142, "l"},       // l with stroke
    {0x153, "oe"},      // oe
    {0x167, "t"},       // t with stroke
    {0x2BB, "'"},       // turned comma: Hawaiian
    {0x2BC, "'"},       // modifier apostrophe: Ukrainian
    {0x450, "\u0435"},  // ie with grave
    {0x451, "\u0435"},  // io
    {0x45D, "\u0438"},  // i with grave
    {0x622, "\u0627"},  // alif with madda above,
    {0x623, "\u0627"},  // with hamza above,
    {0x624, "\u0648"},  // waw with hamza above
    {0x625, "\u0627"},  // alif with hamza below
    {0x626, "\u064A"},  // ya with hamza above
    {0x629, "\u0647"},  // ta marbuta
    {0x640, ""},        // tatweel
    {0x649, "\u064A"},  // alif maksura
    {0x671, "\u0627"},  // alif wasla
    {0x672, "\u0627"},  // alif with wavy hamza above,
    {0x673, "\u0627"},  // below
    {0x6A9, "\u0643"},  // Persian kaf
    {0x6AA, "\u0643"},  // swash kaf
    {0x6C0, "\u0647"},  // ha with ya above
    {0x6C1, "\u0647"},  // Urdu ha,
    {0x6C2, "\u0647"},  // with hamza above
    {0x6C3, "\u0647"},  // Urdu ta marbuta
    {0x6CC, "\u064A"},  // Persian ya
    {0x6D3, "\u06D2"},  // ya barree with hamza above
};

struct Range {
  char32_t first, last;
};

// Accents; Hebrew points; Arabic vowel marks. Those of their characters that are not combining marks are kept.
constexpr Range kMarks[] = {{0x300, 0x36F}, {0x591, 0x5C7}, {0x610, 0x61A}, {0x64B, 0x65F},
                            {0x670, 0x670}, {0x6D6, 0x6ED}, {0x8CA, 0x8FF}, {0x1DC0, 0x1DFF}};

bool is_dropped_mark(char32_t c) {
  const auto holds = [c](const Range& range) { return c >= range.first && c <= range.last; };
  return std::any_of(std::begin(kMarks), std::end(kMarks), holds) &&
         u_charType(static_cast<UChar32>(c)) == U_NON_SPACING_MARK;
}

/// The letter of a Latin or Greek one with accents.
char32_t base_of(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
  if (script != USCRIPT_LATIN && script != USCRIPT_GREEK) return c;
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(error);
  throw_if_refused(error);
  if (U_FAILURE(error) != 0) std::abort();  // as in mapping.cc
  icu::UnicodeString letters;
  return nfd->getDecomposition(static_cast<UChar32>(c), letters) != 0 ? static_cast<char32_t>(letters.char32At(0)) : c;
}

FoldedLetter to_utf8(std::string_view text) {
  FoldedLetter folded{0, static_cast<uint32_t>(text.size())};
  std::memcpy(&folded.bytes, text.data(), text.size());
  return folded;
}

FoldedLetter to_utf8(char32_t c) {
  FoldedLetter folded;
  folded.bytes = encode(c, folded.size_bytes);
  return folded;
}

FoldedLetter compute(char32_t c) {
  if (is_dropped_mark(c)) return {};
  const char32_t base = base_of(c);
  const LetterFold* fold =
      std::lower_bound(std::begin(kLetterFolds), std::end(kLetterFolds), base,
                       [](const LetterFold& entry, char32_t wanted) { return entry.from < wanted; });
  if (fold != std::end(kLetterFolds) && fold->from == base) return to_utf8(fold->to);
  const int digit = u_charDigitValue(static_cast<UChar32>(base));
  return to_utf8(digit >= 0 ? U'0' + static_cast<char32_t>(digit) : base);
}

using LetterPage = std::array<FoldedLetter, 256>;

std::unique_ptr<LetterPage> build_letter_page(char32_t first) {
  auto page = std::make_unique<LetterPage>();
  for (char32_t i = 0; i < page->size(); ++i) (*page)[i] = compute(first + i);
  return page;
}

}  // namespace

FoldedLetter fold_letter(char32_t c) {
  static Pages<LetterPage, decltype(&build_letter_page)> pages(&build_letter_page);
  return pages.page_of(c)[c & 0xFF];
}

}  // namespace neardup::text
