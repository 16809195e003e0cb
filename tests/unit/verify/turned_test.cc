#include "neardup/verify/turned.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "neardup/token/numbers.h"
#include "neardup/token/one_token.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/turning_words.h"

namespace neardup::verify::turned_test {
namespace {

using Tokens = std::vector<uint32_t>;

uint32_t token_of(const std::string& word) {
  return token::marked_hash(token::token_hash(word, 0), token::is_number(word));
}

Tokens tokens_of(const std::string& text) {
  std::istringstream words(text);
  Tokens tokens;
  for (std::string word; words >> word;) tokens.push_back(token_of(word));
  return tokens;
}

bool are_turned(const std::string& a, const std::string& b) {
  std::vector<uint64_t> placed_a, placed_b;
  const Tokens in_a = tokens_of(a), in_b = tokens_of(b);
  place_turning(in_a, placed_a);
  place_turning(in_b, placed_b);
  return is_turned(match_turning(placed_a, placed_b), std::min(in_a.size(), in_b.size()));
}

const std::string kBank =
    " bank said today that it expects the rate which it pays for overnight money to stay where it is ";

TEST(TurningWords, OppositesAndQuantitiesOfSeveralLanguages) {
  const auto opposed = [](const std::string& a, const std::string& b) {
    return are_opposed(turning_word(token_of(a)), turning_word(token_of(b)));
  };
  EXPECT_TRUE(opposed("raises", "lowers"));
  EXPECT_TRUE(opposed("steigt", "sinkt"));
  EXPECT_TRUE(opposed("二", "四"));
  EXPECT_TRUE(opposed("левый", "правый"));
  EXPECT_FALSE(opposed("raises", "increases")) << "the same in other words";
  EXPECT_FALSE(opposed("raises", "left")) << "of another kind";
  EXPECT_EQ(turning_word(token_of("bank")), 0U);
  EXPECT_EQ(turning_word(token_of("7")), 0U) << "numbers are counted apart";
}

TEST(Turned, TheOppositeAtTheSamePlaceTurnsAText) {
  const std::string raises = "the central" + kBank + "and raises it next year while raising others";
  const std::string lowers = "the central" + kBank + "and lowers it next year while lowering others";
  EXPECT_TRUE(are_turned(raises, lowers));
  EXPECT_FALSE(are_turned(raises, raises));
  EXPECT_FALSE(are_turned(raises, "the central" + kBank + "and increases it next year while increasing others"));
  EXPECT_FALSE(are_turned(raises, "the central" + kBank + "and raises it next year while lowering others"))
      << "one word may be a correction";
  const Rule content{.kind = Rule::Kind::kContent};
  EXPECT_FALSE(compare_tokens(content, tokens_of(raises), tokens_of(lowers)).similar);
  EXPECT_GT(compare_tokens({.kind = Rule::Kind::kOrigin}, tokens_of(raises), tokens_of(lowers)).similarity, 0.6F);
}

TEST(Turned, TwoWordsInALongTextDoNot) {
  std::string more;
  for (int i = 0; i < 300; ++i) more += " w" + std::to_string(i);
  EXPECT_FALSE(are_turned("the bank raises its rate and pays two per cent" + more,
                          "the bank lowers its rate and pays three per cent" + more));
}

TEST(Turned, ParagraphsThatAreNumberedAnewDoNot) {
  const std::string second[] = {"two", "three", "four", "five", "six", "seven", "eight"};
  const std::string first[] = {"three", "four", "five", "six", "seven", "eight", "nine"};
  std::string a, b;
  for (int i = 0; i < 7; ++i) {
    const std::string about = " of this law is about matter w" + std::to_string(i) + " and no other ";
    a += "article " + first[i] + about;
    b += "article " + second[i] + about;
  }
  EXPECT_FALSE(are_turned(a, b));
}

}  // namespace
}  // namespace neardup::verify::turned_test
