#include "neardup/verify/exchanged_words.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace neardup::verify {
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

}  // namespace
}  // namespace neardup::verify
