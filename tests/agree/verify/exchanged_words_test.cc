#include "neardup/verify/exchanged_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "neardup/verify/free_words.h"

namespace neardup::verify::exchanged_words_test {
namespace {

// Letters side by side on a keyboard, of those that are used here: none but a and s.
bool are_side_by_side(char32_t a, char32_t b) { return (a == U'a' && b == U's') || (a == U's' && b == U'a'); }

bool is_longer_word(const std::u32string& longer, const std::u32string& word) {
  for (size_t i = 0; i < longer.size(); ++i) {
    if (std::u32string(longer).erase(i, 1) != word) continue;
    const bool twice = (i > 0 && longer[i - 1] == longer[i]) || (i + 1 < longer.size() && longer[i + 1] == longer[i]);
    const bool at_end = i + 1 == longer.size();
    if (twice || (at_end && longer[i] == U's') || word.size() >= (at_end ? 5U : 7U)) return true;
  }
  return false;
}

bool is_other_spelling(const std::u32string& a, const std::u32string& b) {
  std::vector<size_t> differ;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) differ.push_back(i);
  if (differ.size() == 1)
    return a.size() >= 8 || (a.size() >= 6 && are_side_by_side(a[differ.front()], b[differ.front()]));
  return a.size() >= 5 && differ.size() == 2 && differ[1] == differ[0] + 1 && a[differ[0]] == b[differ[1]] &&
         a[differ[1]] == b[differ[0]];
}

bool expected(const std::u32string& a, const std::u32string& b) {
  if (a == b) return true;
  if (std::min(a.size(), b.size()) < 3 || a[0] != b[0]) return false;
  if (a.size() == b.size()) return is_other_spelling(a, b);
  if (a.size() == b.size() + 1) return is_longer_word(a, b);
  return b.size() == a.size() + 1 && is_longer_word(b, a);
}

std::string utf8(const std::u32string& word) {
  std::string out;
  for (const char32_t c : word)
    out += c < 0x80 ? std::string(1, static_cast<char>(c)) : c == U'ö' ? "\xC3\xB6" : "\xC3\xB7";
  return out;
}

void expect_as_by_definition(const std::u32string& a, const std::u32string& b) {
  ASSERT_EQ(may_be_one_word(utf8(a), utf8(b)), expected(a, b)) << utf8(a) << ", " << utf8(b);
}

// Letters that share their first byte, and two of one byte.
TEST(ExchangedWords, EveryPairOfShortWordsAsByTheDefinition) {
  const std::u32string letters = U"aö÷";
  std::vector<std::u32string> words = {U""};
  for (size_t i = 0; i < words.size() && words[i].size() < 6; ++i)
    for (const char32_t letter : letters) words.push_back(words[i] + letter);
  for (size_t i = 0; i < words.size(); ++i)
    for (size_t j = i % 7; j < words.size(); j += 7) expect_as_by_definition(words[i], words[j]);  // 170,000 pairs
}

TEST(ExchangedWords, WordsAfterOneOrTwoSlipsAsByTheDefinition) {
  const std::u32string letters = U"asö÷";
  std::mt19937_64 random(3);
  for (int round = 0; round < 50'000; ++round) {
    std::u32string a;
    for (uint64_t n = 2 + random() % 8; n > 0; --n) a += letters[random() % letters.size()];
    std::u32string b = a;
    for (uint64_t n = 1 + random() % 2; n > 0 && b.size() > 1; --n) {
      const size_t at = random() % b.size();
      switch (random() % 4) {
        case 0:
          b.erase(at, 1);
          break;
        case 1:
          b.insert(at, 1, letters[random() % letters.size()]);
          break;
        case 2:
          b[at] = letters[random() % letters.size()];
          break;
        default:
          std::swap(b[at], b[at > 0 ? at - 1 : 1]);
      }
    }
    expect_as_by_definition(a, b);
  }
}

using Words = std::vector<std::string>;

std::string text_of(const Words& words, const std::string& behind) {
  std::string text;
  for (const std::string& word : words) text += word + behind;
  return text;
}

int weight_of_text(const Words& words) {
  int weight = 0;
  for (const std::string& word : words) weight += unit_weight(word) == 0 ? kWholeWord : unit_weight(word);
  return weight;
}

// Whether `fewer` from `j` on is made of `more` from `i` on, `left` being what may still be added: every way is tried.
bool is_made_of(const Words& more, size_t i, const Words& fewer, size_t j, int left) {
  if (left < 0) return false;
  if (i == more.size()) return j == fewer.size();
  if (is_free_word(more[i]) && is_made_of(more, i + 1, fewer, j, left)) return true;
  const int unit = unit_weight(more[i]);
  if (unit > 0 && !is_turning_unit(more[i]) && is_made_of(more, i + 1, fewer, j, left - unit)) return true;
  if (j == fewer.size()) return false;
  const bool may_slip = unit == 0 && !is_free_word(more[i]) && !is_free_word(fewer[j]);
  const bool is_one = more[i] == fewer[j] || (may_slip && may_be_one_word(more[i], fewer[j]));
  if (is_one && is_made_of(more, i + 1, fewer, j + 1, left)) return true;
  std::string joined = more[i];
  for (size_t next = i + 1; next < std::min(i + 3, more.size()); ++next)
    if ((joined += more[next]) == fewer[j] && is_made_of(more, next + 1, fewer, j + 1, left)) return true;
  return false;
}

// What both begin with is of neither, nor what both end with.
bool are_others(Words a, Words b) {
  const int most = std::min({weight_of_text(a) / 8, weight_of_text(b) / 8, kWholeWord});
  const auto begin = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  a.erase(a.begin(), begin.first), b.erase(b.begin(), begin.second);
  while (!a.empty() && !b.empty() && a.back() == b.back()) a.pop_back(), b.pop_back();
  return !is_made_of(a, 0, b, 0, most) && !is_made_of(b, 0, a, 0, most);
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
  for (const Words& words : {Words{"abc", "abcd", "abcde"}, Words{"a", "aa", "b"}, Words{"water", "watery", "the"},
                             Words{"美", "の", "water"}}) {
    const std::vector<Words> texts = all_texts(words, 5);
    for (size_t i = 0; i < texts.size(); ++i) {
      for (size_t j = i % 7; j < texts.size(); j += 7) {  // each seventh
        const Words &a = texts[i], &b = texts[j];
        ASSERT_EQ(are_other_words(text_of(a, " "), text_of(b, " ")), are_others(a, b))
            << text_of(a, " ") << "/ " << text_of(b, " ");
      }
    }
  }
}

TEST(ExchangedWords, RandomTextsAsByTheDefinition) {
  const Words words = {"water", "watery",    "waters", "the", "of", "b", "bthe",
                       "bb",    "\xC3\xB6l", "美",     "国",  "不", "の"};
  std::mt19937_64 random(7);
  for (int round = 0; round < 30'000; ++round) {
    Words a, b;
    for (uint64_t n = random() % 14; n > 0; --n) a.push_back(words[random() % words.size()]);
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
