// What dedup makes of two texts, in words: every verdict and every reason.
#include "neardup/explain/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "neardup/explain/explain.h"

namespace neardup::explain {
namespace {

using engine::PairDecision;
using engine::PairRoute;

recipe::Explanation text_with(bool has_features, bool whole = true, bool cut = false) {
  recipe::Explanation explanation;
  explanation.has_features = has_features;
  explanation.whole = whole;
  explanation.cut = cut;
  return explanation;
}
const recipe::Explanation kUsual = text_with(true);

engine::SignatureMatch met_in(size_t bands, size_t of = 64, double probability = 0.5) {
  engine::SignatureMatch match;
  match.equal.assign(128, false);
  match.bands.assign(of, false);
  std::fill_n(match.bands.begin(), bands, true);
  match.num_bands_met = bands;
  match.num_equal = 4 * bands;
  match.probability = probability;
  return match;
}

PairDecision routed(PairRoute route) {
  PairDecision decision;
  decision.route = route;
  return decision;
}

PairDecision by_bands(size_t bands, float similarity, double asked, bool similar) {
  PairDecision decision = routed(PairRoute::kMinHash);
  decision.is_candidate = bands > 0;
  decision.match = met_in(bands);
  decision.verdict = {similar, true, similarity, false};
  decision.asked = asked;
  decision.is_removed = decision.is_candidate && similar;
  return decision;
}

PairDecision by_bits(std::vector<int> distances, int most, bool is_candidate) {
  PairDecision decision = by_bands(0, 0.9F, 0.45, true);
  decision.route = PairRoute::kSimHash;
  decision.match.reset();
  decision.distances = std::move(distances);
  decision.max_distance = most;
  decision.is_candidate = decision.is_removed = is_candidate;
  return decision;
}

VerdictText say(const PairDecision& decision, const engine::DedupOptions& options = {}) {
  return verdict_text(decision, options, kUsual, kUsual);
}

TEST(VerdictText, EqualTextsAreExact) {
  const VerdictText said = say(routed(PairRoute::kExact));
  EXPECT_EQ(said.name, "exact");
  EXPECT_EQ(said.title, "Equal texts: dedup would keep one of the two");
  EXPECT_EQ(finding_of(said), "Equal texts");
  ASSERT_EQ(said.reasons.size(), 1U);
}

struct TooShortCase {
  recipe::Explanation a, b;
  const char* title;
  const char* reason;
};

class TooShortText : public ::testing::TestWithParam<TooShortCase> {};

TEST_P(TooShortText, SaysWhichOfTheTwo) {
  const TooShortCase& given = GetParam();
  engine::DedupOptions options;
  options.recipe.min_tokens = 5;
  const VerdictText said = verdict_text(routed(PairRoute::kTooShort), options, given.a, given.b);
  EXPECT_EQ(said.name, "too_short");
  EXPECT_EQ(said.title, given.title);
  EXPECT_EQ(said.reasons,
            std::vector<std::string>{std::string(given.reason) + ": only an equal text would be a duplicate."});
}

constexpr const char* kTooShortTitle = "Too short to compare: dedup would keep both";
constexpr const char* kInPartTitle = "Known in part only: dedup would keep both";
INSTANTIATE_TEST_SUITE_P(
    Whom, TooShortText,
    ::testing::Values(
        TooShortCase{text_with(false), text_with(true), kTooShortTitle, "A has fewer than 5 words"},
        TooShortCase{text_with(true), text_with(false), kTooShortTitle, "B has fewer than 5 words"},
        TooShortCase{text_with(false), text_with(false), kTooShortTitle, "Both have fewer than 5 words"},
        TooShortCase{text_with(true, false), text_with(true), kInPartTitle, "A is a page with hardly any text"},
        TooShortCase{text_with(true), text_with(true, false), kInPartTitle, "B is a page with hardly any text"},
        TooShortCase{text_with(true, false), text_with(true, false), kInPartTitle,
                     "Both are pages with hardly any text"},
        TooShortCase{text_with(true, false, true), text_with(true), kInPartTitle, "A was not read to its end"},
        TooShortCase{text_with(true), text_with(true, false, true), kInPartTitle, "B was not read to its end"},
        TooShortCase{text_with(true, false, true), text_with(true, false, true), kInPartTitle,
                     "Both were not read to their end"}));

TEST(VerdictText, ATextOfARecipeThatTakesAnyHasNoWords) {
  engine::DedupOptions options;
  options.recipe.min_tokens = 1;
  const VerdictText said = verdict_text(routed(PairRoute::kTooShort), options, text_with(false), kUsual);
  EXPECT_EQ(said.reasons[0], "A has no words: only an equal text would be a duplicate.");
}

TEST(VerdictText, FourWaysToEndWithABandOrNone) {
  EXPECT_EQ(say(by_bands(3, 0.8F, 0.45, true)).name, "near");
  EXPECT_EQ(say(by_bands(3, 0.2F, 0.45, false)).name, "not_similar");
  EXPECT_EQ(say(by_bands(0, 0.2F, 0.45, false)).name, "not_similar");
  const VerdictText missed = say(by_bands(0, 0.8F, 0.45, true));
  EXPECT_EQ(missed.name, "missed");
  EXPECT_EQ(missed.title, "Similar, but never compared: dedup would keep both");
  EXPECT_EQ(finding_of(missed), "Similar, but never compared");
  EXPECT_NE(missed.reasons[0].find("not candidates"), std::string::npos) << "the weightiest reason first";
}

TEST(VerdictText, SimilarityIsNamedWithTheRuleAndWhatItTakes) {
  engine::DedupOptions options;
  options.verify = *verify::rule_from_string("jaccard:0.7");
  EXPECT_EQ(say(by_bands(3, 0.812F, 0.7, true), options).reasons[0],
            "Their similarity by the rule jaccard:0.7 is 0.812, at least the 0.70 that it takes.");
}

TEST(VerdictText, ASimilarityJustBelowDoesNotLookLikeWhatItTakes) {
  const std::string reason = say(by_bands(3, 0.69999F, 0.7, false)).reasons[0];
  EXPECT_NE(reason.find("is 0.699, less than the 0.70"), std::string::npos) << reason;
  EXPECT_NE(say(by_bands(3, 0, 0.0005, false)).reasons[0].find("is 0.000, less"), std::string::npos)
      << "nor like less than none";
}

TEST(VerdictText, EnoughWeightButTooFewNgrams) {
  PairDecision decision = by_bands(3, 0.6F, 0.45, false);
  decision.jaccard3 = 0.39999;
  const std::string reason = say(decision).reasons[0];
  EXPECT_NE(reason.find("weighed alike, only 0.399 are in both, and 0.40 must be"), std::string::npos) << reason;
}

TEST(VerdictText, OtherNumbersAreNamed) {
  PairDecision decision = by_bands(3, 0.9F, 0.4, false);
  decision.verdict.other_numbers = true;
  EXPECT_TRUE(say(decision).reasons[0].ends_with(", but their numbers differ.")) << say(decision).reasons[0];
}

TEST(VerdictText, BandsAreCounted) {
  EXPECT_EQ(say(by_bands(3, 0.8F, 0.45, true)).reasons[1], "They are candidates, as 3 of 64 bands are equal.");
  PairDecision few = by_bands(1, 0.8F, 0.45, true);
  few.is_candidate = few.is_removed = false;
  few.least_equal = 20;
  EXPECT_EQ(say(few).reasons[0],
            "They are not candidates: 1 of 64 bands are equal, but only 4 of 128 values, and it takes 20.");
}

TEST(VerdictText, WhatIsNextToCertainIsNotToldToTheLastDigit) {
  PairDecision decision = by_bands(0, 0.8F, 0.45, true);
  decision.match = met_in(0, 64, 0.123);
  EXPECT_TRUE(say(decision).reasons[0].ends_with("with a probability of about 0.12.")) << say(decision).reasons[0];
  decision.match = met_in(0, 64, 0.99999);
  EXPECT_TRUE(say(decision).reasons[0].ends_with("with a probability of over 0.99."));
}

TEST(VerdictText, DistancesAreNamedWithTheLargestAllowed) {
  EXPECT_EQ(say(by_bits({4}, 8, true)).reasons[1],
            "They are candidates: their fingerprints differ in 4 of 64 bits, and at most 8 may.");
  EXPECT_EQ(say(by_bits({12, 9}, 8, false)).reasons[0],
            "They are not candidates: their fingerprints differ in 12 and 9 of 64 bits, and in one of them at most 8 "
            "may.");
  PairDecision chosen = by_bits({4}, 8, true);
  chosen.num_documents = 2;
  EXPECT_TRUE(say(chosen).reasons[1].ends_with("at most 8 may (the distance for 2 documents)."));
  chosen.num_documents = 30'000;
  EXPECT_NE(say(chosen).reasons[1].find("(the distance for about 30"), std::string::npos) << say(chosen).reasons[1];
}

TEST(VerdictText, WithoutVerificationNothingIsSimilarOrNot) {
  engine::DedupOptions options;
  options.verify = *verify::rule_from_string("none");
  PairDecision decision = by_bands(0, 0.1F, 0, true);
  EXPECT_EQ(say(decision, options).title, "Never compared: dedup would keep both");
  EXPECT_EQ(say(decision, options).reasons[1], "The rule none takes every two candidates as similar.");
}

struct ShortDifferenceCase {
  verify::ShortDifference difference;
  const char* words;
};

class ShortDifferenceText : public ::testing::TestWithParam<ShortDifferenceCase> {};

TEST_P(ShortDifferenceText, IsSaid) {
  PairDecision decision = by_bands(3, 0.9F, 0.7, false);
  decision.route = PairRoute::kCharacters;
  decision.difference = GetParam().difference;
  const std::string enough = say(decision).reasons[0];
  EXPECT_TRUE(enough.ends_with(std::string("at least the 0.70 that it takes, but ") + GetParam().words + "."))
      << enough;
  decision.verdict.similarity = 0.1F;
  const std::string too_little = say(decision).reasons[0];
  EXPECT_TRUE(too_little.ends_with(std::string("less than the 0.70 that it takes; ") + GetParam().words + ", too."))
      << too_little;
}

INSTANTIATE_TEST_SUITE_P(
    Each, ShortDifferenceText,
    ::testing::Values(ShortDifferenceCase{verify::ShortDifference::kDigits, "their numbers differ"},
                      ShortDifferenceCase{verify::ShortDifference::kMarks,
                                          "their signs, negations or Roman numerals differ"},
                      ShortDifferenceCase{verify::ShortDifference::kPictures, "their emoji differ"},
                      ShortDifferenceCase{verify::ShortDifference::kWords, "they differ in a word of meaning"}));

TEST(VerdictText, EveryReasonIsAWholeSentence) {
  for (const PairDecision& decision :
       {by_bands(3, 0.8F, 0.45, true), by_bands(0, 0.8F, 0.45, true), by_bits({1}, 3, true), by_bits({9}, 3, false)}) {
    const VerdictText said = say(decision);
    EXPECT_EQ(said.reasons.size(), 2U);
    for (const std::string& reason : said.reasons) {
      EXPECT_TRUE(reason.ends_with('.')) << reason;
      EXPECT_TRUE(std::isupper(static_cast<unsigned char>(reason[0]))) << reason;
    }
  }
}

TEST(VerdictText, NoReasonNamesAFlag) {
  engine::DedupOptions options;
  options.verify = *verify::rule_from_string("origin");
  options.verify.templates = true;
  options.read.within_key = "language";
  options.size_within = 0.1;
  PairDecision chosen = by_bits({4}, 8, true);
  chosen.num_documents = 2;
  for (PairDecision decision : {by_bands(3, 0.8F, 0.45, true), by_bits({1}, 3, true), chosen}) {
    for (const engine::KeptApart apart :
         {engine::KeptApart::kNo, engine::KeptApart::kByField, engine::KeptApart::kBySize}) {
      decision.apart = apart;
      for (const std::string& reason : say(decision, options).reasons)
        EXPECT_EQ(reason.find("--"), std::string::npos) << reason;
    }
  }
  EXPECT_TRUE(say(chosen, options).reasons[0].starts_with("Their similarity by the rule origin with templates is "));
}

TEST(VerdictOfARule, IsSaidInTwoWordsOrSo) {
  EXPECT_EQ(verdict_text(verify::Verdict{true, true, 1, false}), "similar");
  EXPECT_EQ(verdict_text(verify::Verdict{false, true, 0, false}), "not similar");
  EXPECT_EQ(verdict_text(verify::Verdict{false, true, 0.9F, true}), "not similar: other numbers");
}

TEST(NumbersLine, CountsPlaces) {
  EXPECT_EQ(numbers_line({2, 26}),
            "of 26 places of numbers that both texts have, 2 hold the same (--templates asks for 7 of 10)");
  EXPECT_EQ(numbers_line({0, 0}), "no number has a place that both texts have: --templates refuses nothing");
}

TEST(SpecText, NamesNgramWeightAndWhatIsCutOff) {
  recipe::FingerprintSpec spec;
  spec.ngram = 2;
  EXPECT_TRUE(spec_text(spec).starts_with("2-grams of tokens, weight ")) << spec_text(spec);
  EXPECT_EQ(spec_text(spec).find("heaviest"), std::string::npos);
  spec.top_n = 30;
  EXPECT_TRUE(spec_text(spec).ends_with(", the 30 heaviest"));
}

TEST(ExtractionLines, NoneWhereAllWasTakenAsItIs) {
  EXPECT_TRUE(extraction_lines({}).empty());
  recipe::Explanation utf8;
  utf8.encoding = "UTF-8";
  EXPECT_TRUE(extraction_lines(utf8).empty());
}

TEST(ExtractionLines, EncodingQuotesAndMasksEachHaveTheirs) {
  recipe::Explanation explanation;
  explanation.encoding = "windows-1251";
  explanation.quoted_lines = 12;
  explanation.masked = {
      {"dates", "1 May"}, {"numbers", "7"}, {"dates", "2 May"}, {"dates", "3 May"}, {"dates", "4 May"}};
  EXPECT_EQ(extraction_lines(explanation),
            (std::vector<std::string>{"text in windows-1251", "quoted lines left out: 12",
                                      "masked dates: 4 (1 May, 2 May, 3 May, ...)", "masked numbers: 1 (7)"}));
  explanation = {};
  explanation.is_page = true;
  explanation.encoding = "UTF-8";
  explanation.extracted_bytes = 100;
  explanation.given_bytes = 900;
  EXPECT_EQ(extraction_lines(explanation),
            std::vector<std::string>{"a page in UTF-8: 100 bytes of main text in 900 bytes"});
  explanation.is_page = false;
  explanation.is_manual = true;
  EXPECT_EQ(extraction_lines(explanation),
            std::vector<std::string>{"the source of a manual page: 100 bytes of what man shows in 900 bytes"});
  explanation = {};
  explanation.encoding = "UTF-8";
  explanation.preamble_bytes = 1200;
  EXPECT_EQ(extraction_lines(explanation), std::vector<std::string>{"preamble left out: 1,200 bytes"});
}

}  // namespace
}  // namespace neardup::explain
