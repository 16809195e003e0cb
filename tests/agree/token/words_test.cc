// The bitmap tokenizers against the plainest reading of their definition.
#include <gtest/gtest.h>
#include <unicode/unistr.h>

#include <random>
#include <string>
#include <vector>

#include "neardup/token/character_class.h"
#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token {
namespace {

struct Character {
  uint32_t begin = 0;
  uint32_t end = 0;
  CharacterClass kind = CharacterClass::kOther;
};

std::vector<Character> characters(const std::string& text, CjkMode mode) {
  std::vector<Character> all;
  const icu::UnicodeString wide = icu::UnicodeString::fromUTF8(text);
  uint32_t begin = 0;
  for (int32_t at = 0; at < wide.length(); at = wide.moveIndex32(at, 1)) {
    const auto c = static_cast<char32_t>(wide.char32At(at));
    const auto end = begin + static_cast<uint32_t>(c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
    all.push_back({begin, end, class_of(character_classes(), c, mode)});
    begin = end;
  }
  return all;
}

bool is_mark(const Character& c) {
  return c.kind == CharacterClass::kMark || c.kind == CharacterClass::kAlphabeticMark;
}

Token token_of(const std::string& text, uint32_t begin, uint32_t end) {
  return {begin, end - begin, token_hash(text.substr(begin, end - begin), 5)};
}

/// Characters and the marks after them, each a unit of its own; then neighbouring letters are put together, and
/// neighbouring units of scripts without spaces paired.
std::vector<Token> expected_words(const std::string& text, CjkMode mode) {
  std::vector<Character> clusters;
  for (const Character& c : characters(text, mode)) {
    const bool joins =
        !clusters.empty() && clusters.back().end == c.begin && clusters.back().kind != CharacterClass::kOther;
    if (is_mark(c) && joins) {
      clusters.back().end = c.end;
    } else if (c.kind == CharacterClass::kLetter && joins && clusters.back().kind == CharacterClass::kLetter) {
      clusters.back().end = c.end;
    } else {
      clusters.push_back(c);
      if (is_mark(c)) clusters.back().kind = CharacterClass::kOther;
    }
  }
  std::vector<Token> tokens;
  for (size_t i = 0; i < clusters.size(); ++i) {
    const Character& c = clusters[i];
    if (c.kind == CharacterClass::kOther) continue;
    const bool pairs = c.kind == CharacterClass::kUnit && mode == CjkMode::kBigrams;
    const auto is_unit = [&](size_t j) { return j < clusters.size() && clusters[j].kind == CharacterClass::kUnit; };
    if (pairs && is_unit(i + 1)) {
      tokens.push_back(token_of(text, c.begin, clusters[i + 1].end));
    } else if (!pairs || i == 0 || !is_unit(i - 1)) {
      tokens.push_back(token_of(text, c.begin, c.end));
    }
  }
  return tokens;
}

std::vector<Token> expected_chars(const std::string& text) {
  std::vector<Token> tokens;
  for (const Character& c : characters(text, CjkMode::kCharacters)) {
    if (c.kind != CharacterClass::kOther && c.kind != CharacterClass::kMark)
      tokens.push_back(token_of(text, c.begin, c.end));
  }
  return tokens;
}

class Tokenizers {
 public:
  void check(const std::string& text) {
    check(words_characters_, text, expected_words(text, CjkMode::kCharacters));
    check(words_syllables_, text, expected_words(text, CjkMode::kSyllables));
    check(words_bigrams_, text, expected_words(text, CjkMode::kBigrams));
    check(chars_, text, expected_chars(text));
  }

 private:
  static Tokenizer make(const char* name, CjkMode mode) {
    return *Tokenizer::create({.tokenizer = name, .cjk = mode, .hash_seed = 5});
  }

  void check(Tokenizer& tokenizer, const std::string& text, const std::vector<Token>& expected) {
    tokenizer.tokenize(text, tokens_);
    ASSERT_EQ(tokens_.size(), expected.size()) << text;
    ASSERT_EQ(tokens_ == expected, true) << text;
    tokenizer.hashes(text, hashes_);
    ASSERT_EQ(hashes_.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(hashes_[i], expected[i].hash);
  }

  Tokenizer words_characters_ = make("words", CjkMode::kCharacters);
  Tokenizer words_syllables_ = make("words", CjkMode::kSyllables);
  Tokenizer words_bigrams_ = make("words", CjkMode::kBigrams);
  Tokenizer chars_ = make("chars", CjkMode::kBigrams);
  std::vector<Token> tokens_;
  std::vector<uint64_t> hashes_;
};

const std::vector<std::string> kAlphabet = {
    "a",      "b",  "7",      "_",  " ",  ".",      "é",      "ß",      "д",      "א",  "\u0301", "\u093F", "क",
    "\u094D", "中", "文",     "か", "カ", "ー",     "\u3099", "ก",      "\u0E38", "ရ",  "한",     "힣",     "、",
    "。",     "😀",  "\u200D", "𠀀", "𝐀",  "\uFFFD", "-",      "\u20E3", "①",      "〇", "½",      "一",     "\u9FBF"};

TEST(Words, EveryShortStringOfASmallAlphabet) {
  const std::vector<std::string> alphabet = {"a", " ", "é", "\u0301", "中", "𠀀", "\u0E38"};
  Tokenizers tokenizers;
  for (int length = 0; length <= 5; ++length) {
    int count = 1;
    for (int i = 0; i < length; ++i) count *= static_cast<int>(alphabet.size());
    for (int code = 0; code < count; ++code) {
      std::string text;
      for (int i = 0, rest = code; i < length; ++i, rest /= static_cast<int>(alphabet.size())) {
        text += alphabet[static_cast<size_t>(rest) % alphabet.size()];
      }
      tokenizers.check(text);
    }
  }
}

TEST(Words, RandomStringsAcrossBlocks) {
  std::mt19937_64 rng(3);
  Tokenizers tokenizers;
  for (int i = 0; i < 6000; ++i) {
    std::string text;
    const size_t size = rng() % 400;
    const size_t variety = 1 + rng() % kAlphabet.size();
    const size_t first = rng() % kAlphabet.size();
    for (size_t j = 0; j < size; ++j) text += kAlphabet[(first + rng() % variety) % kAlphabet.size()];
    tokenizers.check(text);
  }
}

// Most Han characters are told from two bytes, and need not be looked up: around their first and last one, and whatever
// follows them.
TEST(Words, EachHanCharacterBesideOthers) {
  Tokenizers tokenizers;
  for (char32_t c = 0x4D80; c < 0xA000; ++c) {
    std::string han;
    icu::UnicodeString(static_cast<UChar32>(c)).toUTF8String(han);
    const std::string filling(c % 64, 'a');
    tokenizers.check(filling + han + "中" + han + "\u0301" + han + "x" + han + "。" + han + "か" + han);
  }
}

// Most Hangul syllables, too.
TEST(Words, EachSyllableBesideOthers) {
  Tokenizers tokenizers;
  for (char32_t c = 0xAB80; c < 0xD800; ++c) {
    std::string syllable;
    icu::UnicodeString(static_cast<UChar32>(c)).toUTF8String(syllable);
    const std::string filling(c % 64, 'a');
    tokenizers.check(filling + syllable + "한 " + syllable + "\u0301" + syllable + "x中" + syllable + "。" + syllable);
  }
}

TEST(Words, LongRuns) {
  Tokenizers tokenizers;
  for (const char* unit : {"a", "é", "中", "𠀀", "ก\u0E38", "한", "a ", "中 ", ".", "\u0301"}) {
    std::string text;
    while (text.size() < 5000) text += unit;
    tokenizers.check(text);
    tokenizers.check("中" + text + "b");
  }
}

}  // namespace
}  // namespace neardup::token
