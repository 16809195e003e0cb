// Turning words at common places: sorted lists and one merge, against a definition by maps of places.
#include "neardup/verify/turned.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "neardup/token/numbers.h"
#include "neardup/token/one_token.h"
#include "neardup/verify/turning_words.h"

namespace neardup::verify::turned_agree_test {
namespace {

using Tokens = std::vector<uint32_t>;
using Places = std::map<std::string, std::multiset<uint32_t>>;

Places places_of(const Tokens& tokens) {
  const auto at = [&tokens](ptrdiff_t i) -> std::string {
    if (i < 0 || i >= std::ssize(tokens)) return "nothing";
    const uint32_t token = tokens[static_cast<size_t>(i)];
    return token::is_marked_number(token) || turning_word(token) != 0 ? "any" : std::to_string(token);
  };
  Places places;
  for (ptrdiff_t i = 0; i < std::ssize(tokens); ++i) {
    const uint32_t word = turning_word(tokens[static_cast<size_t>(i)]);
    if (word == 0) continue;
    places["before " + at(i - 1) + " " + at(i - 2)].insert(word);
    places["behind " + at(i + 1) + " " + at(i + 2)].insert(word);
  }
  return places;
}

TurnedMatch plain_match(const Tokens& a, const Tokens& b) {
  const Places in_a = places_of(a), in_b = places_of(b);
  TurnedMatch match;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> exchanged;
  for (const auto& [place, words_a] : in_a) {
    if (!in_b.contains(place)) continue;
    const std::multiset<uint32_t>& words_b = in_b.at(place);
    match.placed += std::min(words_a.size(), words_b.size());
    Tokens only_a, only_b;
    for (const uint32_t word : std::set<uint32_t>(words_a.begin(), words_a.end()))
      for (size_t i = words_b.count(word); i < words_a.count(word); ++i) only_a.push_back(word);
    for (const uint32_t word : std::set<uint32_t>(words_b.begin(), words_b.end()))
      for (size_t i = words_a.count(word); i < words_b.count(word); ++i) only_b.push_back(word);
    for (size_t i = 0; i < std::min(only_a.size(), only_b.size()); ++i) {
      if (!are_opposed(only_a[i], only_b[i])) continue;
      ++match.opposed;
      ++exchanged[std::minmax(only_a[i], only_b[i])];
    }
  }
  for (const auto& [words, count] : exchanged) match.most = std::max(match.most, count);
  return match;
}

uint32_t word_of(const char* word) { return token::marked_hash(token::token_hash(word, 0), false); }

TEST(TurnedAgreement, RandomTextsOfFewWords) {
  const Tokens words = {word_of("two"),    word_of("three"), word_of("raises"),
                        word_of("lowers"), word_of("left"),  word_of("bank"),
                        word_of("rate"),   word_of("sets"),  token::marked_hash(70, true)};
  std::mt19937 random(5);
  size_t num_opposed = 0;
  for (int pair = 0; pair < 20'000; ++pair) {
    Tokens a(random() % 30), b;
    for (uint32_t& token : a) token = words[random() % words.size()];
    b = a;
    for (uint32_t& token : b)
      if (random() % 6 == 0) token = words[random() % words.size()];
    std::vector<uint64_t> placed_a, placed_b;
    place_turning(a, placed_a);
    place_turning(b, placed_b);
    const TurnedMatch match = match_turning(placed_a, placed_b);
    ASSERT_EQ(match, plain_match(a, b)) << pair;
    ASSERT_EQ(match_turning(placed_b, placed_a), match) << pair;
    num_opposed += match.opposed > 0;
  }
  EXPECT_GT(num_opposed, 1000U);
}

}  // namespace
}  // namespace neardup::verify::turned_agree_test
