// Verdicts from signatures alone.
#include "neardup/verify/sketch.h"

#include <gtest/gtest.h>

namespace neardup::verify::sketch_test {
namespace {

const Rule kOrigin{.kind = Rule::Kind::kOrigin};
const Rule kJaccard{.kind = Rule::Kind::kJaccard, .threshold = 0.8};
const Rule kNone{.kind = Rule::Kind::kNone};

TEST(Sketch, OriginTakesTheEstimateForTheSimilarity) {
  const SketchVerdict half = judge_sketch(kOrigin, {.num_equal = 64, .num_values = 128, .smaller_tokens = 1000});
  EXPECT_NEAR(half.verdict.similarity, 0.5, 1e-4);
  EXPECT_NEAR(half.standard_error, 0.0442, 1e-3);
  EXPECT_TRUE(half.verdict.similar);
  EXPECT_FALSE(half.verdict.exact);
}

TEST(Sketch, OriginAsksMoreOfShortTexts) {
  EXPECT_TRUE(judge_sketch(kOrigin, {.num_equal = 64, .num_values = 128}).verdict.similar);
  EXPECT_FALSE(judge_sketch(kOrigin, {.num_equal = 64, .num_values = 128, .smaller_tokens = 20}).verdict.similar);
  EXPECT_TRUE(judge_sketch(kOrigin, {.num_equal = 80, .num_values = 128, .smaller_tokens = 20}).verdict.similar);
  EXPECT_FALSE(judge_sketch(kOrigin, {.num_equal = 50, .num_values = 128}).verdict.similar);
}

TEST(Sketch, GramsOfTheRulesOwnLengthAreTakenAsTheyAre) {
  for (size_t equal = 0; equal <= 128; ++equal) {
    const SketchVerdict found = judge_sketch(kJaccard, {.num_equal = equal, .num_values = 128, .ngram = 5});
    EXPECT_NEAR(found.verdict.similarity, static_cast<double>(equal) / 128, 1e-4);
    EXPECT_EQ(found.verdict.similar, equal >= 103) << equal;  // 102.4 / 128 = .8
  }
}

TEST(Sketch, LongerGramsAgreeLess) {
  const SketchVerdict found = judge_sketch(kJaccard, {.num_equal = 103, .num_values = 128});
  EXPECT_LT(found.verdict.similarity, 103.0F / 128);
  EXPECT_GT(found.standard_error, 0.035F);  // steeper than that of the 3-grams, .035
  EXPECT_FALSE(found.verdict.similar);
  const SketchVerdict equal = judge_sketch(kJaccard, {.num_equal = 128, .num_values = 128});
  EXPECT_TRUE(equal.verdict.similar);
  EXPECT_FLOAT_EQ(equal.verdict.similarity, 1);
  EXPECT_FLOAT_EQ(equal.standard_error, 0);
}

TEST(Sketch, NothingEqualIsSimilarToNothing) {
  EXPECT_FALSE(judge_sketch(kOrigin, {.num_equal = 0, .num_values = 128}).verdict.similar);
  EXPECT_EQ(judge_sketch(kJaccard, {.num_equal = 0, .num_values = 128}).verdict.similarity, 0);
  EXPECT_TRUE(judge_sketch(kNone, {.num_equal = 0, .num_values = 128}).verdict.similar);
}

TEST(Sketch, LeastEqualIsTheFirstThatIsAccepted) {
  EXPECT_EQ(least_equal(kNone, 128, 3), 0U);
  for (const Rule& rule : {kOrigin, kJaccard}) {
    for (const size_t num_values : {16, 128, 1024}) {
      for (const int ngram : {1, 3, 5}) {
        const size_t least = least_equal(rule, num_values, ngram);
        ASSERT_GT(least, 0U);
        ASSERT_LE(least, num_values);
        const auto similar = [&](size_t equal) {
          return judge_sketch(rule, {.num_equal = equal, .num_values = num_values, .ngram = ngram}).verdict.similar;
        };
        EXPECT_TRUE(similar(least));
        EXPECT_FALSE(similar(least - 1));
      }
    }
  }
}

}  // namespace
}  // namespace neardup::verify::sketch_test
