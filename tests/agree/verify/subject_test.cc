// Names that stand for each other: sorted lists and merges, against a definition by counting in maps.
#include "neardup/verify/subject.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "neardup/token/numbers.h"

namespace neardup::verify::subject_test {
namespace {

using Tokens = std::vector<uint32_t>;

// Some begin with the same bits, others do not, as with hashes.
uint32_t word(uint64_t value) {
  return token::marked_hash(value % 3 == 0 ? value * 2 : value << 25 | value * 2, false);
}
uint32_t number(uint64_t value) { return token::marked_hash(value * 2, true); }

uint64_t count(const Tokens& tokens, uint32_t token) {
  return static_cast<uint64_t>(std::ranges::count(tokens, token));
}

std::set<uint32_t> first_tokens(const Tokens& tokens, size_t most, uint64_t least) {
  std::set<uint32_t> names;
  for (size_t i = 0; i < std::min(tokens.size(), most); ++i)
    if (!token::is_marked_number(tokens[i]) && count(tokens, tokens[i]) >= least) names.insert(tokens[i]);
  return names;
}

// A title or heading: what stands before the mark.
std::set<uint32_t> plain_heading(const Tokens& tokens) {
  for (size_t i = 0; i < std::min(tokens.size(), kMostHeadingTokens); ++i)
    if (tokens[i] == token::kHeadingEnd) return first_tokens(tokens, i, 1);
  return {};
}

std::set<uint32_t> plain_names(const Tokens& tokens) {
  std::set<uint32_t> names = first_tokens(tokens, kBeginningTokens, kLeastNamedAlone);
  for (const uint32_t token : plain_heading(tokens))
    if (count(tokens, token) >= kLeastNamedAlone) names.insert(token);
  names.erase(token::kHeadingEnd);
  return names;
}

bool is_own(uint32_t name, const Tokens& text, const Tokens& other, uint64_t times) {
  return !plain_names(other).contains(name) && times * count(other, name) <= count(text, name);
}

bool have_other_headings(uint32_t x, uint32_t y, const Tokens& a, const Tokens& b) {
  const std::set<uint32_t> title_a = plain_heading(a), title_b = plain_heading(b);
  const bool of_one_site = std::ranges::any_of(title_a, [&](uint32_t token) { return title_b.contains(token); });
  return of_one_site && title_a.contains(x) && title_b.contains(y) && is_own(x, a, b, kHeadingNamedMore) &&
         is_own(y, b, a, kHeadingNamedMore);
}

// What stands so far from each place of the name.
std::map<std::string, uint64_t> neighbours(const Tokens& tokens, uint32_t name, ptrdiff_t step) {
  std::map<std::string, uint64_t> found;
  for (ptrdiff_t i = 0; i < std::ssize(tokens); ++i) {
    if (tokens[static_cast<size_t>(i)] != name) continue;
    const ptrdiff_t at = i + step;
    const bool is_inside = at >= 0 && at < std::ssize(tokens);
    const uint32_t beside = is_inside ? tokens[static_cast<size_t>(at)] : 0;
    ++found[!is_inside ? "nothing" : beside == name ? "the name" : std::to_string(beside)];
  }
  return found;
}

uint64_t count_common(const std::map<std::string, uint64_t>& a, const std::map<std::string, uint64_t>& b) {
  uint64_t common = 0;
  for (const auto& [neighbour, times] : a)
    if (b.contains(neighbour)) common += std::min(times, b.at(neighbour));
  return common;
}

// Of the words that it has twice or more and the other one never.
uint64_t count_told(const Tokens& text, const Tokens& other) {
  uint64_t told = 0;
  for (const uint32_t token : std::set<uint32_t>(text.begin(), text.end()))
    if (!token::is_marked_number(token) && count(text, token) > 1 && count(other, token) == 0)
      told += count(text, token);
  return told;
}

bool says_names_alone(const Tokens& text, const Tokens& other) {
  uint64_t missing = 0;
  for (const uint32_t token : std::set<uint32_t>(text.begin(), text.end()))
    missing += count(text, token) - std::min(count(text, token), count(other, token));
  return kAloneParts * count_told(text, other) >= kAlonePart * missing;
}

bool plain_other_subjects(const Tokens& a, const Tokens& b) {
  const bool alone = says_names_alone(a, b) && says_names_alone(b, a);
  for (const uint32_t x : plain_names(a)) {
    for (const uint32_t y : plain_names(b)) {
      if (have_other_headings(x, y, a, b)) return true;
      if (!is_own(x, a, b, kNamedMore) || !is_own(y, b, a, kNamedMore)) continue;
      uint64_t exchanged = 0;
      for (const ptrdiff_t step : {-1, 1})
        exchanged = std::max(exchanged, count_common(neighbours(a, x, step), neighbours(b, y, step)));
      const bool are_titles = first_tokens(a, kTitleTokens, kLeastNamed).contains(x) &&
                              first_tokens(b, kTitleTokens, kLeastNamed).contains(y);
      const bool is_main_difference =
          kMostToldParts * count(a, x) >= count_told(a, b) || kMostToldParts * count(b, y) >= count_told(b, a);
      if (are_titles && is_main_difference && exchanged >= kLeastNamed) return true;
      if (alone && count(b, x) + count(a, y) == 0 && exchanged >= kLeastNamedAlone &&
          kNamedAloneTokens * exchanged >= std::min(a.size(), b.size()))
        return true;
    }
  }
  return false;
}

// Returns whether they are about two things.
bool expect_agreement(const Tokens& a, const Tokens& b) {
  const bool plain = plain_other_subjects(a, b);
  EXPECT_EQ(are_other_subjects(a, b), plain);
  EXPECT_EQ(are_other_subjects(b, a), plain);
  Tokens names_a, names_b;
  find_names(a, names_a);
  find_names(b, names_b);
  const std::set<uint32_t> plain_a = plain_names(a);
  EXPECT_EQ(names_a, Tokens(plain_a.begin(), plain_a.end()));
  EXPECT_TRUE(!plain || may_be_other_subjects(names_a, names_b)) << "no pair is left out beforehand";
  return plain;
}

TEST(SubjectAgreement, AllShortTexts) {
  std::vector<Tokens> texts = {{}};
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() == 6) break;
    for (const uint32_t token : {word(1), word(2), number(3)}) {
      texts.push_back(texts[i]);
      texts.back().push_back(token);
    }
  }
  size_t num_others = 0;
  for (const Tokens& a : texts) {
    for (const Tokens& b : texts) {
      num_others += expect_agreement(a, b);
      ASSERT_FALSE(testing::Test::HasFailure());
    }
  }
  EXPECT_GT(num_others, 100U);
}

// Forms in which names, other words and numbers are exchanged, so that each bound is met from both sides.
TEST(SubjectAgreement, ManyFilledForms) {
  std::mt19937 random(7);
  size_t num_others = 0;
  constexpr size_t kPairs = 20'000;
  for (size_t pair = 0; pair < kPairs; ++pair) {
    Tokens a(random() % 60), b;
    for (uint32_t& token : a) token = random() % 8 == 0 ? number(random() % 4) : word(random() % 12);
    b = a;
    for (uint32_t name = 0; name < 1 + pair % 3; ++name) std::ranges::replace(b, word(name), word(20 + name));
    for (uint32_t& token : b)
      if (random() % 12 == 0) token = word(random() % 24);
    if (random() % 4 == 0 && !b.empty()) b.erase(b.begin() + random() % b.size());
    num_others += expect_agreement(a, b);
    ASSERT_FALSE(testing::Test::HasFailure()) << pair;
  }
  EXPECT_GT(num_others, kPairs / 50);
  EXPECT_LT(num_others, kPairs / 2);
}

// The same of pages, whose titles are of any length, up to those that are not looked at.
TEST(SubjectAgreement, ManyPages) {
  std::mt19937 random(8);
  size_t num_others = 0;
  constexpr size_t kPairs = 20'000;
  for (size_t pair = 0; pair < kPairs; ++pair) {
    Tokens texts[2];
    for (Tokens& text : texts) {
      text.resize(random() % 80);
      for (uint32_t& token : text) token = random() % 8 == 0 ? number(random() % 4) : word(random() % 30);
      const size_t longest = random() % 8 == 0 ? 40 : 6;
      if (random() % 8 != 0)
        text.insert(text.begin() + std::min<ptrdiff_t>(std::ssize(text), random() % longest), token::kHeadingEnd);
    }
    num_others += expect_agreement(texts[0], texts[1]);
    ASSERT_FALSE(testing::Test::HasFailure()) << pair;
  }
  EXPECT_GT(num_others, kPairs / 50);
  EXPECT_LT(num_others, kPairs / 2);
}

}  // namespace
}  // namespace neardup::verify::subject_test
