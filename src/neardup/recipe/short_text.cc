// A text of a few words has too few runs of words to be compared by them: one typing error leaves none. So its
// characters are compared, and what characters weigh too little is kept apart as hashes of its own: digits in their
// order, and what turns a meaning (docs/design/short_texts.md).
// The characters are those of tokens, so that punctuation counts no more than in longer texts; where tokens do not
// touch stands one space. n-grams are ascending and each once: a row holds a set, compared with another in one pass.
#include "neardup/recipe/short_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "neardup/base/hash.h"
#include "neardup/recipe/ornaments.h"
#include "neardup/recipe/turning_marks.h"
#include "neardup/text/utf8.h"
#include "neardup/token/character_class.h"
#include "neardup/token/short_text.h"
#include "neardup/token/unit_weight.h"

namespace neardup::recipe {
namespace {

struct Character {
  char32_t code_point;
  bool is_unit;              // of a script without spaces between words
  bool is_syllable = false;  // of Hangul, where that is such a script
  bool is_ornament = false;  // of what says nothing of a text: ornaments.h
};

/// Whether `first`, a space and `third` are spaced in one way of several.
bool is_free_space(std::span<const Character> three) {
  return three[0].is_syllable && three[1].code_point == U' ' && three[2].is_syllable;
}

/// Drops the spaces between two syllables of Hangul.
void drop_free_spaces(std::vector<Character>& characters) {
  size_t kept = std::min<size_t>(characters.size(), 1);
  for (size_t i = 1; i < characters.size(); ++i) {
    const bool between = i + 1 < characters.size();
    if (!between || !is_free_space(std::span(characters).subspan(i - 1, 3))) characters[kept++] = characters[i];
  }
  characters.resize(kept);
}

bool is_within(const std::vector<Ornament>& ornaments, size_t at) {
  return std::ranges::any_of(ornaments, [at](const Ornament& part) { return part.begin <= at && at < part.end; });
}

std::vector<Character> characters_of(std::string_view normalized, std::span<const token::Token> tokens,
                                     token::CjkMode mode) {
  token::CharacterClasses& classes = token::character_classes();
  const std::vector<Ornament> ornaments = find_ornaments(normalized);
  std::vector<Character> characters;
  size_t end = SIZE_MAX;  // of what was taken
  for (const token::Token& token : tokens) {
    if (token.begin != end && (end == SIZE_MAX || token.begin > end)) characters.push_back({U' ', false});
    size_t at = end == SIZE_MAX ? token.begin : std::max<size_t>(token.begin, end);
    end = std::max<size_t>(at, token.begin + size_t{token.size_bytes});
    while (at < end) {
      const text::Decoded decoded = text::decode(normalized.data() + at, normalized.data() + end);
      const bool is_unit = token::class_of(classes, decoded.code_point, mode) == token::CharacterClass::kUnit;
      const bool is_syllable =
          is_unit && token::class_of(classes, decoded.code_point) == token::CharacterClass::kSyllable;
      characters.push_back({decoded.code_point, is_unit, is_syllable, is_within(ornaments, at)});
      at += decoded.size_bytes;
    }
  }
  if (!characters.empty()) characters.push_back({U' ', false});
  drop_free_spaces(characters);
  return characters;
}

constexpr std::u32string_view kHanNumerals = U"〇一二三四五六七八九十零两百千万亿";  // by value up to ten

// Returns the value of a decimal digit of any script, a number of its own for other Han numerals and for what is no
// decimal digit (², ½, ①), -1 of anything else.
int digit_of(char32_t c) {
  if (c < 0x80) return c >= U'0' && c <= U'9' ? static_cast<int>(c - U'0') : -1;
  if (const size_t at = kHanNumerals.find(c); at != std::u32string_view::npos) return static_cast<int>(at);
  if (u_charType(static_cast<UChar32>(c)) == U_OTHER_NUMBER) return static_cast<int>(c);
  return u_charDigitValue(static_cast<UChar32>(c));
}

uint32_t hash_digits(std::span<const Character> characters) {
  uint64_t hash = 0;
  bool begins = true;
  for (const Character& character : characters) {
    const int digit = digit_of(character.code_point);
    if (digit >= 0) hash = mix64(hash + static_cast<uint64_t>(digit) + U'0' + (begins ? 256 : 0));
    begins = digit < 0;
  }
  return static_cast<uint32_t>(hash);
}

void end_word(std::string& words) {
  if (!words.empty() && words.back() != ' ') words += ' ';
}

bool is_mark(char32_t c) { return (U_GET_GC_MASK(static_cast<UChar32>(c)) & U_GC_M_MASK) != 0; }

// What a character is part of: "Python3" is "Python 3", but "mips64el" has not the word "el".
enum class WordPart { kNothing, kLetters, kNumber, kUnit };

WordPart part_of(const Character& character) {
  if (character.is_ornament || character.code_point == U' ') return WordPart::kNothing;
  if (character.is_unit) return WordPart::kUnit;
  return u_isdigit(static_cast<UChar32>(character.code_point)) != 0 ? WordPart::kNumber : WordPart::kLetters;
}

// Of scripts without spaces each character is a word, with the marks on it.
std::string words_of(std::span<const Character> characters) {
  std::string words;
  WordPart before = WordPart::kNothing;
  for (const Character& character : characters) {
    const char32_t c = character.code_point;
    if (is_mark(c) && !words.empty() && words.back() != ' ') {
      text::append_utf8(words, c);
      continue;
    }
    const WordPart part = part_of(character);
    const bool goes_on = part == before || (before == WordPart::kNumber && part == WordPart::kLetters);
    if (!goes_on || part == WordPart::kUnit) end_word(words);
    before = goes_on ? before : part;
    if (part != WordPart::kNothing && !is_mark(c)) text::append_utf8(words, c);
  }
  end_word(words);
  return words;
}

uint32_t hash_turning_words(std::string_view words) {
  uint32_t sum = 0;
  for (size_t begin = 0, end = 0; begin < words.size(); begin = end + 1) {
    end = words.find(' ', begin);
    sum += turning_word(words.substr(begin, end - begin));
  }
  return sum;
}

void append_grams(std::span<const Character> characters, std::vector<uint32_t>& out) {
  for (size_t i = 0; i + 1 < characters.size(); ++i) {
    const uint64_t two = uint64_t{characters[i].code_point} << 21 | characters[i + 1].code_point;
    if (characters[i].is_unit && characters[i + 1].is_unit) {
      out.push_back(static_cast<uint32_t>(mix64(two)));
    } else if (i + 2 < characters.size()) {
      out.push_back(static_cast<uint32_t>(mix64(uint64_t{1} << 63 | two << 21 | characters[i + 2].code_point)));
    }
  }
}

}  // namespace

bool has_fewer_words(std::string_view normalized, std::span<const token::Token> tokens, token::CjkMode mode,
                     size_t words) {
  constexpr auto kWord = static_cast<size_t>(token::kWholeWord);
  token::CharacterClasses& classes = token::character_classes();
  size_t weight = 0, end = 0;
  for (const token::Token& token : tokens) {
    bool has_units = false;
    size_t at = std::max<size_t>(token.begin, end);
    end = std::max<size_t>(at, token.begin + size_t{token.size_bytes});
    const size_t before = at;
    while (at < end) {
      const text::Decoded decoded = text::decode(normalized.data() + at, normalized.data() + end);
      at += decoded.size_bytes;
      if (token::class_of(classes, decoded.code_point, mode) != token::CharacterClass::kUnit) continue;
      weight += static_cast<size_t>(token::unit_weight(decoded.code_point));
      has_units = true;
    }
    weight += before < end && !has_units ? kWord : 0;
    if (weight >= words * kWord) return false;
  }
  return true;
}

void short_text_features(std::string_view normalized, std::span<const token::Token> tokens, token::CjkMode mode,
                         std::vector<uint32_t>& out) {
  out.clear();
  const std::vector<Character> characters = characters_of(normalized, tokens, mode);
  if (characters.empty()) return;
  const std::string words = words_of(characters);
  token::append_short_text_head({.digits = hash_digits(characters),
                                 .marks = hash_signs(normalized) + hash_turning_words(words),
                                 .pictures = hash_pictures(normalized),
                                 .words = std::string_view(words).substr(0, UINT32_MAX),
                                 .grams = {}},
                                out);
  const auto first = static_cast<ptrdiff_t>(out.size());
  append_grams(characters, out);
  std::sort(out.begin() + first, out.end());
  out.erase(std::unique(out.begin() + first, out.end()), out.end());
}

}  // namespace neardup::recipe
