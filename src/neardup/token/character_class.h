// What the tokenizers need to know of a code point.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "neardup/text/pages.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token {

enum class CharacterClass : uint8_t {
  kOther,           // separates
  kLetter,          // Alphabetic or a number
  kMark,            // a combining mark that is not Alphabetic, such as an accent: belongs to what is before it
  kAlphabeticMark,  // a combining mark that is, such as a vowel sign
  kUnit,            // a letter or number of a script that writes no spaces between words
  kSyllable,        // a Hangul syllable: a letter or a unit, as the CjkMode says
};

using CharacterClassPage = std::array<CharacterClass, 256>;

struct BuildCharacterClasses {
  std::unique_ptr<CharacterClassPage> operator()(char32_t first) const;
};

using CharacterClasses = text::Pages<CharacterClassPage, BuildCharacterClasses>;

/// Returns the table, one for the whole program.
CharacterClasses& character_classes();

inline CharacterClass class_of(CharacterClasses& classes, char32_t c) { return classes.page_of(c)[c & 0xFF]; }

/// The same, with a syllable as what `mode` takes it for.
inline CharacterClass class_of(CharacterClasses& classes, char32_t c, CjkMode mode) {
  const CharacterClass found = class_of(classes, c);
  if (found != CharacterClass::kSyllable) return found;
  return mode == CjkMode::kSyllables ? CharacterClass::kUnit : CharacterClass::kLetter;
}

}  // namespace neardup::token
