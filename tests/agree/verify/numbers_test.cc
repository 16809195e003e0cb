// Numbers at common places, from the texts themselves: against strings, loops over all pairs of numbers, and no sets.
#include "neardup/verify/numbers.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/token/numbers.h"
#include "neardup/verify/definition.h"

namespace neardup::verify::numbers_test {
namespace {

using Words = std::vector<std::string>;

struct Placed {
  std::string place;
  std::string number;
  bool used = false;
};

bool is_digits(const std::string& word) { return word.find_first_not_of("0123456789") == std::string::npos; }

// Each number twice: behind the two words before it, and in front of the two after it.
std::vector<Placed> placed_of(const Words& words) {
  Words padded = {"^", "^"};
  padded.insert(padded.end(), words.begin(), words.end());
  padded.insert(padded.end(), {"$", "$"});
  const auto shape = [&](size_t i) { return is_digits(padded[i]) ? "#" : padded[i]; };
  std::vector<Placed> placed;
  for (size_t i = 2; i + 2 < padded.size(); ++i) {
    if (!is_digits(padded[i])) continue;
    placed.push_back({shape(i - 2) + " " + shape(i - 1) + " _", padded[i]});
    placed.push_back({"_ " + shape(i + 1) + " " + shape(i + 2), padded[i]});
  }
  return placed;
}

// Pairs off what is equal, one by one, in both lists: same place, or same place and number.
uint64_t pair_off(std::vector<Placed> a, std::vector<Placed> b, bool numbers_too) {
  uint64_t pairs = 0;
  for (Placed& x : a) {
    for (Placed& y : b) {
      if (x.used || y.used || x.place != y.place || (numbers_too && x.number != y.number)) continue;
      x.used = y.used = true;
      ++pairs;
    }
  }
  return pairs;
}

std::vector<uint32_t> tokens_of(const Words& words) {
  std::vector<uint32_t> tokens;
  for (const std::string& word : words) tokens.push_back(token::marked_hash(hash64(word), token::is_number(word)));
  return tokens;
}

NumberMatch fast(const Words& a, const Words& b) {
  std::vector<uint64_t> in_a = {7}, in_b = {8, 9};  // what was there before must not show
  place_numbers(tokens_of(a), in_a);
  place_numbers(tokens_of(b), in_b);
  return match_numbers(in_a, in_b);
}

void expect_agreement(const Words& a, const Words& b) {
  const std::vector<Placed> in_a = placed_of(a), in_b = placed_of(b);
  const NumberMatch expected{.same = pair_off(in_a, in_b, true), .placed = pair_off(in_a, in_b, false)};
  std::ostringstream texts;
  for (const Words* words : {&a, &b}) {
    for (const std::string& word : *words) texts << word << ' ';
    texts << "| ";
  }
  ASSERT_EQ(fast(a, b), expected) << texts.str();
  ASSERT_EQ(fast(b, a), expected) << texts.str();
  ASSERT_EQ(compare_numbers(tokens_of(a), tokens_of(b)), expected) << texts.str();
}

// All texts of up to four words out of two words and two numbers.
TEST(Numbers, AgreeForAllSmallTexts) {
  const std::array<std::string, 4> alphabet = {"a", "b", "1", "2"};
  std::vector<Words> texts = {{}};
  for (size_t begin = 0, length = 0; length < 4; ++length) {
    const size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const std::string& word : alphabet) {
        texts.push_back(texts[begin]);
        texts.back().push_back(word);
      }
    }
  }
  ASSERT_EQ(texts.size(), 341U);
  for (size_t i = 0; i < texts.size(); ++i)
    for (size_t j = i; j < texts.size(); ++j) expect_agreement(texts[i], texts[j]);
}

TEST(Numbers, AgreeForEditedTexts) {
  std::mt19937 random(7);
  const auto word = [&random] { return std::string(random() % 3 == 0 ? "" : "w") + std::to_string(random() % 12); };
  for (int i = 0; i < 300; ++i) {
    Words a(random() % 120);
    for (std::string& each : a) each = word();
    Words b = a;
    for (size_t edit = 0; edit < a.size() / 8; ++edit) b[random() % b.size()] = word();
    if (random() % 3 == 0) b.resize(b.size() / 2);
    expect_agreement(a, b);
  }
}

}  // namespace
}  // namespace neardup::verify::numbers_test
