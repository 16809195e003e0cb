#include "neardup/verify/subject.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "neardup/verify/definition.h"
#include "neardup/verify/rule.h"

namespace neardup::verify::subject_test {
namespace {

using Tokens = std::vector<uint32_t>;

uint32_t word(uint32_t value) { return value * 2; }
uint32_t number(uint32_t value) { return value * 2 + 1; }

// A page of 300 words that begins with a name, and says it again every `step` words.
Tokens page_of(uint32_t name, size_t step = 50) {
  Tokens tokens(300);
  for (uint32_t i = 0; i < tokens.size(); ++i) tokens[i] = i % step == 0 ? name : word(1000 + i);
  return tokens;
}

TEST(Subject, OneNameForAnotherFromTheBeginningOnMakesAnotherText) {
  const Tokens a = page_of(word(1)), b = page_of(word(2));
  EXPECT_TRUE(are_other_subjects(a, b));
  const Rule origin{.kind = Rule::Kind::kOrigin}, content{.kind = Rule::Kind::kContent};
  EXPECT_GT(compare_tokens(origin, a, b).similarity, 0.85F);
  EXPECT_FALSE(compare_tokens(content, a, b).similar);
  EXPECT_TRUE(compare_tokens(content, a, a).similar);
}

TEST(Subject, AFewPlacesMakeNoName) {
  EXPECT_FALSE(are_other_subjects(page_of(word(1), 150), page_of(word(2), 150))) << "twice each";
}

TEST(Subject, ASynonymFurtherOnIsNoName) {
  Tokens a = page_of(word(1)), b = page_of(word(2));
  a.insert(a.begin(), {word(11), word(12), word(13), word(14), word(15)});
  b.insert(b.begin(), {word(11), word(12), word(13), word(14), word(15)});
  for (uint32_t i = 20; i < b.size(); i += 30) b[i] = word(5000 + i);  // other words are others, too
  EXPECT_FALSE(are_other_subjects(a, b));
}

TEST(Subject, OfShortTextsThatDifferInANameAloneTwoPlacesAreEnough) {
  Tokens a = page_of(word(1));
  a.resize(60);
  a.insert(a.begin(), {word(11), word(12), word(13), word(14), word(15)});
  Tokens b = a;
  std::ranges::replace(b, word(1), word(2));
  EXPECT_TRUE(are_other_subjects(a, b));
  for (uint32_t i = 20; i < 40; i += 10) b[i] = word(5000 + i);
  EXPECT_FALSE(are_other_subjects(a, b)) << "not alone";
}

TEST(Subject, NumbersAreNoNames) { EXPECT_FALSE(are_other_subjects(page_of(number(1)), page_of(number(2)))); }

TEST(Subject, WhoSaysBothNamesIsAboutBoth) {
  const Tokens a = page_of(word(1));
  Tokens b = page_of(word(2));
  for (size_t i = 25; i < b.size(); i += 50) b[i] = word(1);
  EXPECT_FALSE(are_other_subjects(a, b));
}

TEST(Subject, WhereMuchElseIsSaidInOtherWordsNoNameIsTheDifference) {
  const Tokens a = page_of(word(1));
  Tokens b = page_of(word(2)), c = page_of(word(1));
  for (uint32_t i = 3; i < b.size(); i += 10) {  // as in two scripts of one language
    b[i] = word(5000 + i / 20);
    c[i] = word(7000 + i / 20);
    b[i + 4] = word(8000 + i);
  }
  EXPECT_FALSE(are_other_subjects(c, b));
  EXPECT_TRUE(are_other_subjects(a, b)) << "in one of them the name is all";
}

TEST(Subject, NearlyEqualTextsLoseLess) {
  EXPECT_DOUBLE_EQ(left_by_subjects(1), 1);
  EXPECT_LT(left_by_subjects(0.9), 0.45);
  double before = 0;
  for (int i = 0; i <= 1000; ++i) {
    EXPECT_GE(left_by_subjects(i / 1000.0), before);
    before = left_by_subjects(i / 1000.0);
  }
}

}  // namespace
}  // namespace neardup::verify::subject_test
