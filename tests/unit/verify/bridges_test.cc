#include "neardup/verify/bridges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "neardup/verify/content_rule.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"

namespace neardup::verify::bridges_test {
namespace {

using Tokens = std::vector<uint32_t>;

uint32_t word(uint32_t value) { return value * 2; }
uint32_t number(uint32_t value) { return value * 2 + 1; }

Tokens words(uint32_t first, uint32_t count) {
  Tokens tokens(count);
  for (uint32_t i = 0; i < count; ++i) tokens[i] = word(first + i);
  return tokens;
}

// The text with another token in each fifth place.
Tokens with_each_fifth(Tokens tokens, const std::function<uint32_t(uint32_t)>& token_at) {
  for (uint32_t i = 4; i < tokens.size(); i += 5) tokens[i] = token_at(i);
  return tokens;
}

Verdict compare(const Tokens& a, const Tokens& b, const Commonness* common = nullptr) {
  return compare_tokens({.kind = Rule::Kind::kContent, .common = common}, a, b);
}

const Tokens& text() {
  static const Tokens tokens = words(0, 200);
  return tokens;
}

TEST(Bridges, SingleWordsThatDifferAllOverMakeNoOtherText) {
  const Tokens misread = with_each_fifth(text(), [](uint32_t i) { return word(5000 + i); });
  const Verdict verdict = compare(text(), misread);
  EXPECT_TRUE(verdict.similar);
  EXPECT_GT(verdict.similarity, 0.9F);
  EXPECT_LT(verdict.similarity, 0.99F) << "1 is said of equal content alone";
  EXPECT_LT(compare_tokens({.kind = Rule::Kind::kOrigin}, text(), misread).similarity, kContentJaccard);
}

TEST(Bridges, OtherNumbersAllOverMakeAnotherText) {
  const Tokens figures = with_each_fifth(text(), [](uint32_t i) { return number(i); });
  const Tokens others = with_each_fifth(text(), [](uint32_t i) { return number(7000 + i); });
  EXPECT_FALSE(compare(figures, others).similar);
}

TEST(Bridges, OneNameForAnotherMakesAnotherText) {
  const Tokens a = with_each_fifth(text(), [](uint32_t) { return word(9001); });
  const Tokens b = with_each_fifth(text(), [](uint32_t) { return word(9002); });
  EXPECT_FALSE(compare(a, b).similar);
}

TEST(Bridges, AFormOfManyTextsHasNone) {
  std::vector<Tokens> filled;
  for (uint32_t n = 0; n < 8; ++n)
    filled.push_back(with_each_fifth(text(), [n](uint32_t i) { return word(10'000 * (n + 1) + i); }));
  Commonness common(10'000, 1 << 20);
  for (const Tokens& tokens : filled) common.add(make_shingle_set(tokens, 3).hashes);
  common.settle();
  EXPECT_TRUE(compare(filled[0], filled[1]).similar) << "two alone look like copies with misread words";
  EXPECT_FALSE(compare(filled[0], filled[1], &common).similar);
}

TEST(Bridges, ReplacedParagraphsHaveNone) {
  Tokens half = text();
  for (size_t i = 110; i < half.size(); ++i) half[i] = word(static_cast<uint32_t>(6000 + i));
  const Verdict verdict = compare(text(), half);
  EXPECT_FALSE(verdict.similar);
  EXPECT_LT(verdict.similarity, kContentThreshold);
}

TEST(Bridges, NothingIsCoveredInTextsTooShortForNgrams) {
  for (const Tokens& tokens : {Tokens{}, Tokens{word(1)}, Tokens{word(1), word(2)}}) {
    EXPECT_EQ(bridged_share(tokens, tokens, {}, nullptr), 0);
    EXPECT_EQ(BridgedText(tokens, {}).most_bridged(nullptr), 0);
  }
}

}  // namespace
}  // namespace neardup::verify::bridges_test
