#include "neardup/verify/short_texts.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string_view>
#include <vector>

#include "neardup/token/short_text.h"

namespace neardup::verify::short_texts_test {
namespace {

constexpr Rule kContent{Rule::Kind::kContent}, kOrigin{Rule::Kind::kOrigin};

// With `count` n-grams from `first` on.
std::vector<uint32_t> text(const token::ShortText& head, uint32_t first, uint32_t count) {
  std::vector<uint32_t> row;
  token::append_short_text_head(head, row);
  for (uint32_t gram = first; gram < first + count; ++gram) row.push_back(gram);
  return row;
}

bool are_similar(const Rule& rule, const token::ShortText& a, const token::ShortText& b) {
  return compare_short_texts(rule, text(a, 0, 20), text(b, 0, 20)).similar;
}

TEST(ShortTexts, AreSimilarFromTheThresholdOn) {
  // 14 of 20, then 13 of 20 are common.
  EXPECT_TRUE(compare_short_texts(kContent, text({}, 0, 17), text({}, 3, 17)).similar);
  EXPECT_FLOAT_EQ(compare_short_texts(kContent, text({}, 0, 17), text({}, 3, 17)).similarity, 0.7F);
  EXPECT_FALSE(compare_short_texts(kContent, text({}, 0, 16), text({}, 3, 17)).similar);
  EXPECT_FLOAT_EQ(compare_short_texts(kContent, text({}, 0, 16), text({}, 3, 17)).similarity, 0.65F);
}

TEST(ShortTexts, WithOtherDigitsAreNot) {
  for (const Rule& rule : {kContent, kOrigin}) {
    const auto a = text({.digits = 1}, 0, 20), b = text({.digits = 2}, 0, 20);
    EXPECT_FALSE(compare_short_texts(rule, a, b).similar);
    EXPECT_FLOAT_EQ(compare_short_texts(rule, a, b).similarity, 1);
    EXPECT_EQ(short_difference(rule, a, b), ShortDifference::kDigits);
  }
}

TEST(ShortTexts, WithOtherMarksOrWordsAreNotByContent) {
  EXPECT_FALSE(are_similar(kContent, {.marks = 1}, {.marks = 2}));
  EXPECT_FALSE(are_similar(kContent, {.marks = 1}, {}));
  EXPECT_FALSE(are_similar(kContent, {.words = "pay in java "}, {.words = "pay in python "}));
  EXPECT_FALSE(are_similar(kContent, {.words = "pay now "}, {.words = "pay "}));
  EXPECT_TRUE(are_similar(kContent, {.words = "the budget "}, {.words = "budget "}));
  EXPECT_TRUE(are_similar(kOrigin, {.marks = 1, .words = "java "}, {.marks = 2, .words = "python "}));
}

TEST(ShortTexts, PicturesAreFreeWhereOneTextHasNone) {
  EXPECT_FALSE(are_similar(kContent, {.pictures = 1}, {.pictures = 2}));
  EXPECT_TRUE(are_similar(kContent, {.pictures = 1}, {.pictures = 1}));
  EXPECT_TRUE(are_similar(kContent, {.pictures = 1}, {}));
}

TEST(ShortTexts, WithoutFeaturesAreNot) {
  EXPECT_FALSE(compare_short_texts(kContent, {}, {}).similar);
  EXPECT_FALSE(compare_short_texts(kContent, text({}, 0, 0), text({}, 0, 0)).similar);
}

TEST(ShortTexts, ARowThatIsShorterThanItClaimsIsEmpty) {
  std::vector<uint32_t> row = text({.digits = 7, .words = "four five "}, 0, 2);
  EXPECT_EQ(token::read_short_text(row).words, "four five ");
  EXPECT_EQ(token::read_short_text(row).grams.size(), 2U);
  row.resize(6);
  EXPECT_EQ(token::read_short_text(row).digits, 0U);
  EXPECT_TRUE(token::read_short_text({row.data(), 3}).grams.empty());
}

TEST(ShortTexts, AVerdictThatNeedNotBeExactIsTheSameAndBoundsTheSimilarity) {
  constexpr std::string_view kWords[] = {"", "the budget ", "budget ", "java "};
  std::vector<std::vector<uint32_t>> texts = {{}};
  for (const uint32_t digits : {1U, 2U})
    for (const uint32_t marks : {0U, 1U})
      for (const uint32_t pictures : {0U, 1U, 2U})
        for (const std::string_view words : kWords)
          for (const uint32_t size : {0U, 13U, 14U, 20U})
            texts.push_back(text({digits, marks, pictures, words}, 20 - size, size));
  for (const auto& a : texts)
    for (const auto& b : texts)
      for (const Rule& rule : {kContent, kOrigin}) {
        const Verdict exact = compare_short_texts(rule, a, b), soon = compare_short_texts(rule, a, b, false);
        ASSERT_TRUE(exact.exact);
        ASSERT_EQ(soon.similar, exact.similar);
        if (soon.exact) {
          ASSERT_EQ(soon, exact);
        } else {
          ASSERT_GE(soon.similarity, exact.similarity);
        }
      }
}

}  // namespace
}  // namespace neardup::verify::short_texts_test
