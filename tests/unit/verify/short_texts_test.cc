#include "neardup/verify/short_texts.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace neardup::verify {
namespace {

// The digits' hash, then `count` numbers from `first` on.
std::vector<uint32_t> text(uint32_t digits, uint32_t first, uint32_t count) {
  std::vector<uint32_t> features(count + 1);
  std::iota(features.begin() + 1, features.end(), first);
  features[0] = digits;
  return features;
}

TEST(ShortTexts, AreSimilarFromTheThresholdOn) {
  // 14 of 20, then 13 of 20 are common.
  EXPECT_TRUE(compare_short_texts(text(0, 0, 17), text(0, 3, 17)).similar);
  EXPECT_FLOAT_EQ(compare_short_texts(text(0, 0, 17), text(0, 3, 17)).similarity, 0.7F);
  EXPECT_FALSE(compare_short_texts(text(0, 0, 16), text(0, 3, 17)).similar);
  EXPECT_FLOAT_EQ(compare_short_texts(text(0, 0, 16), text(0, 3, 17)).similarity, 0.65F);
}

TEST(ShortTexts, WithOtherDigitsAreNot) {
  const Verdict verdict = compare_short_texts(text(1, 0, 20), text(2, 0, 20));
  EXPECT_FALSE(verdict.similar);
  EXPECT_FLOAT_EQ(verdict.similarity, 1);
}

TEST(ShortTexts, WithoutFeaturesAreNot) {
  EXPECT_FALSE(compare_short_texts({}, {}).similar);
  EXPECT_FALSE(compare_short_texts(text(0, 0, 0), text(0, 0, 0)).similar);
}

}  // namespace
}  // namespace neardup::verify
