// The decision about a pair: what the definitions of bands, bounds and rules say of it, on documents in memory.
#include "neardup/engine/match/decision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/pair_decision.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/read/family.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/short_texts.h"

namespace neardup::engine {
namespace {

// Texts of a few hundred words or of a few, edited more and more; equal ones and empty ones among them.
std::vector<std::string> edited_texts() {
  std::mt19937 random(7);
  std::vector<std::string> texts = {"", "one", "one"};
  for (const size_t num_words : {8U, 30U, 200U})
    for (const unsigned edits : {0U, 1U, 2U, 5U, 20U, 60U}) {
      std::mt19937 words(static_cast<unsigned>(num_words));
      std::string text;
      for (size_t word = 0; word < num_words; ++word) {
        const unsigned kept = static_cast<unsigned>(words() % 3000);
        text += "w" + std::to_string(random() % num_words < edits ? random() % 3000 : kept) + " ";
      }
      texts.push_back(text);
    }
  return texts;
}

std::vector<recipe::TextFingerprint> fingerprints_of(const std::vector<std::string>& texts,
                                                     const DedupOptions& options) {
  auto fingerprinter = *recipe::Fingerprinter::create(options.recipe, nullptr);
  std::vector<recipe::TextFingerprint> fingerprints(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) fingerprinter.fingerprint(texts[i], fingerprints[i]);
  return fingerprints;
}

DedupOptions options_of(const char* recipe, recipe::Family family, const char* rule) {
  DedupOptions options;
  options.recipe = *recipe::find_recipe(recipe);
  for (recipe::FingerprintSpec& spec : options.recipe.fingerprints) spec.weight = feature::Weight::kBinary;
  options.recipe.idf = "none";
  EXPECT_TRUE(settle_family(options, family));
  options.verify = *verify::rule_from_string(rule);
  return options;
}

bool share_a_band(const recipe::MinHashSpec& spec, const std::vector<uint16_t>& a, const std::vector<uint16_t>& b) {
  const std::vector<join::Band> bands = *join::make_bands(spec.num_values, spec.bands, spec.rows);
  for (const join::Band& band : bands)
    if (std::ranges::all_of(band, [&](auto value) { return a[value] == b[value]; })) return true;
  return false;
}

// Slow and plain: what the pages on candidates and rules say.
bool are_candidates(const recipe::TextFingerprint& a, const recipe::TextFingerprint& b, const DedupOptions& options,
                    int distance, const BandRule& rule) {
  if (options.recipe.family == recipe::Family::kSimHash) {
    for (size_t i = 0; i < a.fingerprints.size(); ++i)
      if (std::popcount(a.fingerprints[i] ^ b.fingerprints[i]) <= distance) return true;
    return false;
  }
  int num_equal = 0;
  for (size_t i = 0; i < a.signature.size(); ++i) num_equal += a.signature[i] == b.signature[i];
  return num_equal >= rule.min_equal() && share_a_band(options.recipe.minhash, a.signature, b.signature);
}

struct Asked {
  const char* rule;
  recipe::Family family;
};

class Decisions : public testing::TestWithParam<Asked> {};

TEST_P(Decisions, FollowTheDefinitions) {
  const DedupOptions options = options_of("default", GetParam().family, GetParam().rule);
  const auto fingerprints = fingerprints_of(edited_texts(), options);
  const Decision decision = *Decision::create(options.recipe, options.verify, {13});
  size_t num_removed = 0, num_kept = 0, num_missed = 0;
  for (const recipe::TextFingerprint& a : fingerprints)
    for (const recipe::TextFingerprint& b : fingerprints) {
      const PairSide side_a = side_of(a), side_b = side_of(b);
      const PairRoute route = decision.route(side_a, side_b);
      if (route == PairRoute::kExact || route == PairRoute::kTooShort) {
        EXPECT_EQ(decision.are_duplicates(side_a, side_b), a.checksum == b.checksum);
        continue;
      }
      const Meeting meeting = decision.meet(route, side_a, side_b);
      const verify::Verdict verdict = decision.compare(route, side_a, side_b);
      EXPECT_EQ(decision.are_duplicates(side_a, side_b), meeting.are_candidates && verdict.similar);
      (meeting.are_candidates ? verdict.similar ? num_removed : num_kept : num_missed) += 1;
      if (route == PairRoute::kCharacters) {
        EXPECT_EQ(verdict, verify::compare_short_texts(options.verify, a.short_text, b.short_text));
        EXPECT_EQ(meeting.are_candidates, share_a_band(short_text_spec(), short_text_signature(a.short_text),
                                                       short_text_signature(b.short_text)) &&
                                              128 - meeting.distance >= static_cast<uint32_t>(short_text_bound()));
        continue;
      }
      EXPECT_EQ(verdict, verify::compare_tokens(options.verify, a.tokens, b.tokens));
      EXPECT_EQ(meeting.are_candidates, are_candidates(a, b, options, 13, decision.band_rule(route)));
    }
  EXPECT_GT(num_removed, 0U);
  EXPECT_GT(num_kept + num_missed, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Decisions,
    testing::Values(Asked{"content", recipe::Family::kMinHash}, Asked{"origin", recipe::Family::kMinHash},
                    Asked{"jaccard:0.6", recipe::Family::kMinHash}, Asked{"none", recipe::Family::kMinHash},
                    Asked{"content", recipe::Family::kSimHash}, Asked{"jaccard:0.6", recipe::Family::kSimHash}));

TEST(Decision, SizesFitWithinAShareOfTheLarger) {
  const DedupOptions options = options_of("default", recipe::Family::kMinHash, "content");
  const Decision within = *Decision::create(options.recipe, options.verify, {.size_within = 0.2});
  EXPECT_TRUE(within.sizes_fit(100, 80));
  EXPECT_TRUE(within.sizes_fit(80, 100));
  EXPECT_FALSE(within.sizes_fit(79, 100));
  EXPECT_TRUE(within.sizes_fit(0, 0));
  EXPECT_TRUE(Decision::create(options.recipe, options.verify, {})->sizes_fit(1, 1'000'000));
}

TEST(Decision, AShortSignatureThatIsGivenIsTaken) {
  const DedupOptions options = options_of("default", recipe::Family::kMinHash, "content");
  const auto fingerprints = fingerprints_of({"a quick brown fox jumps", "a quick brown fox jumped"}, options);
  const Decision decision = *Decision::create(options.recipe, options.verify, {});
  PairSide a = side_of(fingerprints[0]), b = side_of(fingerprints[1]);
  const Meeting made = decision.meet(PairRoute::kCharacters, a, b);
  const auto signature_a = short_text_signature(a.short_text), signature_b = short_text_signature(b.short_text);
  a.short_signature = signature_a;
  b.short_signature = signature_b;
  EXPECT_EQ(decision.meet(PairRoute::kCharacters, a, b).distance, made.distance);
  b.short_signature = signature_a;
  EXPECT_EQ(decision.meet(PairRoute::kCharacters, a, b).distance, 0U);
}

TEST(Decision, ExplainedPairsSayForHowManyDocumentsTheirDistanceIs) {
  DedupOptions options = options_of("default", recipe::Family::kSimHash, "jaccard:0.6");
  const auto fingerprints = fingerprints_of({edited_texts().back(), edited_texts()[15]}, options);
  const PairDecision alone = *decide_pair(fingerprints[0], fingerprints[1], options);
  EXPECT_EQ(alone.max_distance, auto_distance(2));
  EXPECT_EQ(alone.num_documents, 2U);
  options.num_documents = 100'000'000;
  const PairDecision among_many = *decide_pair(fingerprints[0], fingerprints[1], options);
  EXPECT_EQ(among_many.max_distance, auto_distance(100'000'000));
  EXPECT_LT(among_many.max_distance, alone.max_distance);
  EXPECT_EQ(among_many.num_documents, 100'000'000U);
  options.distance = 5;
  EXPECT_EQ(decide_pair(fingerprints[0], fingerprints[1], options)->num_documents, std::nullopt);
}

}  // namespace
}  // namespace neardup::engine
