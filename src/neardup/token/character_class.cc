#include "neardup/token/character_class.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace neardup::token {
namespace {

constexpr UChar32 kFirstSyllable = 0xAC00;
constexpr UChar32 kLastSyllable = 0xD7A3;

/// Han, Hiragana, Katakana (also what these scripts share, such as U+30FC), other ideographs (Tangut, Nushu), and the
/// scripts of Line_Break Complex_Context: Thai, Lao, Khmer, Myanmar and their kin.
bool writes_no_spaces(UChar32 c) {
  return uscript_hasScript(c, USCRIPT_HAN) || uscript_hasScript(c, USCRIPT_HIRAGANA) ||
         uscript_hasScript(c, USCRIPT_KATAKANA) || u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC) ||
         u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
}

CharacterClass compute(UChar32 c) {
  const uint32_t category = U_GET_GC_MASK(c);
  const bool alphabetic = u_hasBinaryProperty(c, UCHAR_ALPHABETIC) != 0;
  if ((category & U_GC_M_MASK) != 0) return alphabetic ? CharacterClass::kAlphabeticMark : CharacterClass::kMark;
  if (!alphabetic && (category & U_GC_N_MASK) == 0) return CharacterClass::kOther;
  if (c >= kFirstSyllable && c <= kLastSyllable) return CharacterClass::kSyllable;
  return writes_no_spaces(c) ? CharacterClass::kUnit : CharacterClass::kLetter;
}

}  // namespace

std::unique_ptr<CharacterClassPage> BuildCharacterClasses::operator()(char32_t first) const {
  auto page = std::make_unique<CharacterClassPage>();
  for (char32_t i = 0; i < 256; ++i) (*page)[i] = compute(static_cast<UChar32>(first + i));
  return page;
}

CharacterClasses& character_classes() {
  static CharacterClasses classes{BuildCharacterClasses()};
  return classes;
}

}  // namespace neardup::token
