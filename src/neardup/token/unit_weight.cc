#include "neardup/token/unit_weight.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "neardup/token/character_class.h"

namespace neardup::token {

int unit_weight(char32_t c) {
  constexpr int kIdeograph = 6, kKana = 4, kOther = 3;
  if (class_of(character_classes(), c, CjkMode::kSyllables) != CharacterClass::kUnit) return 0;
  const auto point = static_cast<UChar32>(c);
  if (uscript_hasScript(point, USCRIPT_HIRAGANA) || uscript_hasScript(point, USCRIPT_KATAKANA)) return kKana;
  const bool is_whole =
      u_hasBinaryProperty(point, UCHAR_IDEOGRAPHIC) != 0 || uscript_hasScript(point, USCRIPT_HANGUL) != 0;
  return is_whole || uscript_hasScript(point, USCRIPT_HAN) ? kIdeograph : kOther;
}

}  // namespace neardup::token
