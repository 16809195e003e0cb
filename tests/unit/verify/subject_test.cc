#include "neardup/verify/subject.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "neardup/token/numbers.h"
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

// A page of 300 words with a title of a site's name, a word for the page and one for its kind; `times`: how often it
// has the word besides.
Tokens titled(uint32_t name, int times, uint32_t site = word(11), size_t title_tokens = 3) {
  Tokens tokens(300);
  for (uint32_t i = 0; i < tokens.size(); ++i) tokens[i] = word(1000 + i);
  for (int i = 0; i < times; ++i) tokens[100 + static_cast<size_t>(i) * 20] = name;
  Tokens title = {site, name};
  for (size_t i = title.size(); i < title_tokens; ++i) title.push_back(word(500 + static_cast<uint32_t>(i)));
  title.push_back(token::kHeadingEnd);
  tokens.insert(tokens.begin(), title.begin(), title.end());
  return tokens;
}

TEST(Subject, PagesOfOneSiteWhoseTitlesNameOtherThingsAreOtherTexts) {
  EXPECT_TRUE(are_other_subjects(titled(word(1), 1), titled(word(2), 1)));
  EXPECT_FALSE(are_other_subjects(titled(word(1), 1), titled(word(1), 1)));
  EXPECT_FALSE(are_other_subjects(titled(word(1), 1), titled(word(2), 0))) << "a headline's word that no text has";
  EXPECT_FALSE(are_other_subjects(titled(number(1), 1), titled(number(2), 1))) << "editions";
  const Rule content{.kind = Rule::Kind::kContent};
  EXPECT_TRUE(compare_tokens(content, titled(word(1), 10), titled(word(1), 9)).similar);
  EXPECT_FALSE(compare_tokens(content, titled(word(1), 10), titled(word(2), 10)).similar);
}

TEST(Subject, TitlesThatShareNoWordAreThoseOfTwoSites) {
  const Tokens a = titled(word(1), 1, word(11), 2), b = titled(word(2), 1, word(12), 2);
  EXPECT_FALSE(are_other_subjects(a, b));
  EXPECT_FALSE(are_other_subjects(titled(word(1), 1, number(4), 2), titled(word(2), 1, number(4), 2)))
      << "nor does a chapter's number";
}

TEST(Subject, APageThatSaysTheOthersNameHalfAsOftenIsAboutBoth) {
  const Tokens a = titled(word(1), 5);
  Tokens b = titled(word(2), 5);
  b[200] = b[210] = b[220] = word(1);
  EXPECT_TRUE(are_other_subjects(a, b)) << "three times beside six";
  b[230] = word(1);
  EXPECT_FALSE(are_other_subjects(a, b));
}

TEST(Subject, OfATitleTheFirst64WordsAreLookedAt) {
  EXPECT_TRUE(are_other_subjects(titled(word(1), 1, word(11), 63), titled(word(2), 1, word(11), 63)));
  EXPECT_FALSE(are_other_subjects(titled(word(1), 1, word(11), 64), titled(word(2), 1, word(11), 64)));
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
