#include "neardup/verify/rule.h"

#include <gtest/gtest.h>

#include "neardup/verify/decide.h"

namespace neardup::verify {
namespace {

TEST(Rule, ReadsItsOwnForms) {
  for (const char* text :
       {"content", "origin", "none", "code", "code:0.6", "jaccard:0.8", "jaccard:1", "jaccard:0.7"}) {
    const Result<Rule> rule = rule_from_string(text);
    ASSERT_TRUE(rule) << text;
    EXPECT_EQ(to_string(*rule), text);
  }
  EXPECT_EQ(rule_from_string("jaccard:.65")->threshold, 0.65);
  EXPECT_EQ(rule_from_string("origin")->kind, Rule::Kind::kOrigin);
  EXPECT_EQ(rule_from_string("content")->kind, Rule::Kind::kContent);
  EXPECT_EQ(Rule{}, *rule_from_string("content")) << "what is not asked for otherwise";
}

TEST(Rule, RefusesOthersAndNamesTheForms) {
  for (const char* text :
       {"", "Origin", "Content", "content:0.4", "jaccard", "jaccard:", "jaccard:0", "jaccard:-1", "jaccard:1.01",
        "jaccard:nan", "jaccard:0.8x", "jaccard: 0.8", "none ", "code:", "code:0", "code:2"}) {
    const Result<Rule> rule = rule_from_string(text);
    ASSERT_FALSE(rule) << text;
    EXPECT_EQ(rule.error().code, Code::kInvalidArgument);
    const std::string named = std::string_view(text).starts_with("code") ? "code:" : "jaccard:";
    EXPECT_NE(rule.error().message.find(named), std::string::npos) << rule.error().message;
  }
}

TEST(Decide, NeededCommonIsTheFirstThatReachesTheThreshold) {
  for (const double threshold : {0.01, 0.1, 0.4, 0.55, 0.7, 0.8, 1.0 / 3, 1.0}) {
    for (size_t a = 1; a <= 60; ++a) {
      for (size_t b = 1; b <= 60; ++b) {
        size_t expected = 0;
        while (expected <= std::min(a, b) && jaccard(a, b, expected) < threshold) ++expected;
        ASSERT_EQ(needed_common(a, b, threshold), expected) << a << " " << b << " " << threshold;
      }
    }
  }
  EXPECT_EQ(needed_common(10, 20, 0), 0U);
}

TEST(Decide, ContentAsksTheSameOfAllTexts) {
  EXPECT_EQ(threshold_of(Rule{Rule::Kind::kContent}, 1), 0.40);
  EXPECT_EQ(threshold_of(Rule{Rule::Kind::kContent}, 50), 0.40);
  EXPECT_EQ(ngram_size(Rule{Rule::Kind::kContent}), 3);
  EXPECT_TRUE(looks_at_numbers(Rule{Rule::Kind::kContent}));
  EXPECT_TRUE(looks_at_characters(Rule{Rule::Kind::kContent}));
}

TEST(Decide, OriginIsStricterWithShortTexts) {
  EXPECT_EQ(threshold_of(Rule{Rule::Kind::kOrigin}, 49), 0.55);
  EXPECT_EQ(threshold_of(Rule{Rule::Kind::kOrigin}, 50), 0.40);
  EXPECT_EQ(threshold_of(Rule{Rule::Kind::kJaccard, 0.7}, 5), 0.7);
  EXPECT_EQ(ngram_size(Rule{Rule::Kind::kOrigin}), 3);
  EXPECT_EQ(ngram_size(Rule{Rule::Kind::kJaccard, 0.7}), 5);
}

TEST(Decide, CodeIsStricterWithShortTexts) {
  const Rule code{Rule::Kind::kCode};
  EXPECT_EQ(threshold_of(code, 29), kShortCodeThreshold);
  EXPECT_EQ(threshold_of(code, 30), kReusedCode);
  EXPECT_EQ(lowest_threshold(code), kReusedCode);
  EXPECT_LT(kReusedCode, kShortCodeThreshold);
  EXPECT_EQ(threshold_of(*rule_from_string("code:0.4"), 29), kShortCodeThreshold);
  EXPECT_EQ(threshold_of(*rule_from_string("code:0.6"), 29), 0.6);
}

}  // namespace
}  // namespace neardup::verify
