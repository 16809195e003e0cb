#include "neardup/verify/exchanged_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace neardup::verify::exchanged_words_test {
namespace {

// All words that one slip makes of one, letters being those of `letters`.
std::set<std::u32string> slips(const std::u32string& word, const std::u32string& letters) {
  std::set<std::u32string> made;
  for (size_t i = 0; i < word.size(); ++i) made.insert(std::u32string(word).erase(i, 1));
  for (size_t i = 0; i + 1 < word.size(); ++i) {
    std::u32string swapped = word;
    std::swap(swapped[i], swapped[i + 1]);
    made.insert(swapped);
  }
  for (const char32_t letter : letters) {
    for (size_t i = 0; i <= word.size(); ++i) made.insert(std::u32string(word).insert(i, 1, letter));
    for (size_t i = 0; i < word.size(); ++i) made.insert(std::u32string(word).replace(i, 1, 1, letter));
  }
  return made;
}

bool expected(const std::u32string& a, const std::u32string& b, const std::u32string& letters) {
  if (a == b) return true;
  const size_t shorter = std::min(a.size(), b.size());
  const bool one_at_end = std::max(a.size(), b.size()) == shorter + 1 && a.substr(0, shorter) == b.substr(0, shorter);
  if (one_at_end) return shorter >= 3;
  return shorter >= 5 && a[0] == b[0] && slips(a, letters).contains(b);
}

std::string utf8(const std::u32string& word) {
  std::string out;
  for (const char32_t c : word) out += c == U'a' ? "a" : c == U'ö' ? "\xC3\xB6" : "\xC3\xB7";
  return out;
}

// Letters that share their first byte, and one of one byte.
TEST(ExchangedWords, EveryPairOfShortWordsAsByTheDefinition) {
  const std::u32string letters = U"aö÷";
  std::vector<std::u32string> words = {U""};
  for (size_t i = 0; i < words.size() && words[i].size() < 6; ++i)
    for (const char32_t letter : letters) words.push_back(words[i] + letter);
  for (size_t i = 0; i < words.size(); ++i)
    for (size_t j = i % 7; j < words.size(); j += 7)  // each seventh: 170,000 pairs
      ASSERT_EQ(may_be_one_word(utf8(words[i]), utf8(words[j])), expected(words[i], words[j], letters))
          << utf8(words[i]) << ", " << utf8(words[j]);
}

using Words = std::vector<std::string>;

// What `words` has more often than `others`, the last ones, in order.
Words own_of(const Words& words, const Words& others) {
  Words own;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto before = std::count(words.begin(), words.begin() + static_cast<ptrdiff_t>(i), words[i]);
    if (before >= std::count(others.begin(), others.end(), words[i])) own.push_back(words[i]);
  }
  return own;
}

std::string text_of(const Words& words, const std::string& behind) {
  std::string text;
  for (const std::string& word : words) text += word + behind;
  return text;
}

bool are_others(const Words& a, const Words& b) {
  Words fewer = own_of(a, b), more = own_of(b, a);
  if (fewer.empty() || more.empty() || text_of(fewer, "") == text_of(more, "")) return false;
  if (fewer.size() >= more.size()) std::swap(fewer, more);
  for (const std::string& word : fewer) {
    const auto found = std::find_if(more.begin(), more.end(), [&](const auto& o) { return may_be_one_word(word, o); });
    if (found == more.end()) return true;
    more.erase(found);
  }
  return false;
}

std::vector<Words> all_texts(const Words& words, size_t most) {
  std::vector<Words> texts = {{}};
  for (size_t i = 0; i < texts.size() && texts[i].size() < most; ++i) {
    for (const std::string& word : words) {
      texts.push_back(texts[i]);
      texts.back().push_back(word);
    }
  }
  return texts;
}

// Words that are one with some of the others, and that make one another when they are joined.
TEST(ExchangedWords, EveryPairOfShortTextsAsByTheDefinition) {
  for (const Words& words : {Words{"abc", "abcd", "abcde"}, Words{"a", "aa", "b"}, Words{"water", "watery", "wader"}}) {
    const std::vector<Words> texts = all_texts(words, 5);
    for (const Words& a : texts) {
      for (const Words& b : texts)
        ASSERT_EQ(are_other_words(text_of(a, " "), text_of(b, " ")), are_others(a, b))
            << text_of(a, " ") << "/ " << text_of(b, " ");
    }
  }
}

TEST(ExchangedWords, RandomTextsAsByTheDefinition) {
  const Words words = {"water", "watery", "wader", "waters", "a", "b", "ab", "ba", "\xC3\xB6l", "\xC3\xBCl"};
  std::mt19937_64 random(7);
  for (int round = 0; round < 200'000; ++round) {
    Words a, b;
    for (uint64_t n = random() % 9; n > 0; --n) a.push_back(words[random() % words.size()]);
    b = a;
    for (uint64_t n = random() % 4; n > 0; --n) {
      const auto at = b.begin() + static_cast<ptrdiff_t>(random() % (b.size() + 1));
      if (at == b.end() || random() % 2 == 0) {
        b.insert(at, words[random() % words.size()]);
      } else {
        random() % 2 == 0 ? void(b.erase(at)) : void(*at = words[random() % words.size()]);
      }
    }
    ASSERT_EQ(are_other_words(text_of(a, " "), text_of(b, " ")), are_others(a, b))
        << text_of(a, " ") << "/ " << text_of(b, " ");
  }
}

}  // namespace
}  // namespace neardup::verify::exchanged_words_test
