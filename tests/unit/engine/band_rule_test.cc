// Which signatures are candidates, and at which level, value by value; and the distance that auto takes, from its
// definition.
#include "neardup/engine/match/band_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "neardup/engine/evaluate/band_levels.h"
#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/match/signature_match.h"
#include "neardup/recipe/fingerprinter.h"

namespace neardup::engine {
namespace {

using Signature = std::vector<uint16_t>;

// Equal in about `share` of the values.
std::pair<Signature, Signature> like_signatures(std::mt19937_64& random, size_t size, double share) {
  Signature a(size), b(size);
  for (size_t i = 0; i < size; ++i) {
    a[i] = static_cast<uint16_t>(random());
    b[i] = static_cast<double>(random() % 1000) < 1000 * share ? a[i] : static_cast<uint16_t>(random());
  }
  return {a, b};
}

bool is_met(const join::Band& band, const Signature& a, const Signature& b) {
  return std::ranges::all_of(band, [&](size_t value) { return a[value] == b[value]; });
}

TEST(AgreementOf, EveryValueByItself) {
  std::mt19937_64 random(1);
  for (const size_t size : {size_t{16}, size_t{64}, size_t{128}, size_t{512}, size_t{1024}}) {
    for (const double share : {0.0, 0.3, 0.9, 1.0}) {
      const auto [a, b] = like_signatures(random, size, share);
      const Agreement agreement = agreement_of(a, b);
      uint32_t equal = 0;
      for (size_t i = 0; i < size; ++i) {
        EXPECT_EQ(agreement.at(i), a[i] == b[i]) << i;
        equal += a[i] == b[i];
      }
      EXPECT_EQ(agreement.num_values, size);
      EXPECT_EQ(agreement.num_equal, equal);
      EXPECT_EQ(agreement.distance(), size - equal);
    }
  }
}

struct BandShape {
  int num_values, num_bands, rows;
};
constexpr BandShape kBandShapes[] = {{128, 64, 4}, {128, 32, 4}, {128, 1, 4}, {16, 4, 4}, {128, 128, 1}, {512, 100, 5}};

TEST(BandRuleOf, CandidatesAreEqualInABandAndInEnoughValues) {
  std::mt19937_64 random(2);
  for (const auto& [num_values, num_bands, rows] : kBandShapes) {
    for (const int min_equal : {0, num_values / 4, num_values}) {
      const auto rule = BandRule::create(num_values, num_bands, rows, min_equal);
      ASSERT_TRUE(rule) << rule.error().message;
      ASSERT_EQ(rule->bands().size(), static_cast<size_t>(num_bands));
      for (int round = 0; round < 60; ++round) {
        const auto [a, b] =
            like_signatures(random, static_cast<size_t>(num_values), 0.1 * static_cast<double>(random() % 11));
        const Agreement agreement = agreement_of(a, b);
        size_t first = rule->bands().size();
        for (size_t band = 0; band < rule->bands().size(); ++band) {
          const bool is_equal = is_met(rule->bands()[band], a, b);
          EXPECT_EQ(rule->meet_in(band, agreement), is_equal);
          if (is_equal) first = std::min(first, band);
        }
        EXPECT_EQ(rule->first_met(agreement), first);
        EXPECT_EQ(rule->are_candidates(agreement),
                  first < rule->bands().size() && agreement.num_equal >= static_cast<uint32_t>(min_equal));
      }
    }
  }
}

TEST(BandRuleOf, NoBandsMakeNoCandidates) {
  const Signature signature(128, 7);
  EXPECT_FALSE(BandRule().are_candidates(agreement_of(signature, signature)));
}

TEST(BandRuleOf, ShapesThatCannotBeAreRefused) {
  for (const auto& [num_values, num_bands, rows] :
       {BandShape{128, 0, 4}, BandShape{128, -1, 4}, BandShape{128, 64, 0}, BandShape{128, 64, 129},
        BandShape{128, 1025, 4}, BandShape{16, 17, 4}}) {
    const auto rule = BandRule::create(num_values, num_bands, rows, 0);
    ASSERT_FALSE(rule) << num_values << " " << num_bands << " " << rows;
    EXPECT_EQ(rule.error().code, Code::kInvalidArgument);
  }
}

TEST(SignatureMatchOf, TwoSignaturesIsCountedValueByValue) {
  std::mt19937_64 random(3);
  const recipe::MinHashSpec spec;
  const std::vector<join::Band> bands = *join::make_bands(spec.num_values, spec.bands, spec.rows);
  for (int round = 0; round < 100; ++round) {
    const auto [a, b] = like_signatures(random, 128, 0.1 * static_cast<double>(random() % 11));
    const auto match = match_signatures(spec, a, b);
    ASSERT_TRUE(match);
    size_t met = 0;
    for (size_t band = 0; band < bands.size(); ++band) {
      EXPECT_EQ(match->bands[band], is_met(bands[band], a, b));
      met += match->bands[band];
    }
    EXPECT_EQ(match->num_bands_met, met);
    EXPECT_EQ(match->num_equal, agreement_of(a, b).num_equal);
    EXPECT_NEAR(match->probability, 1 - std::pow(1 - std::pow(match->jaccard, 4), 64), 1e-9);
    EXPECT_GE(match->error, 0);
  }
}

TEST(BandLevelsOf, ALevelIsTheFirstWithABandThatIsEqual) {
  std::mt19937_64 random(4);
  for (const int num_bands : {1, 3, 8, 20, 64}) {
    recipe::MinHashSpec spec;
    spec.bands = num_bands;
    std::vector<uint16_t> rows;
    std::vector<uint32_t> active;
    Signature base(128);
    for (uint16_t& value : base) value = static_cast<uint16_t>(random());
    for (uint32_t i = 0; i < 40; ++i) {
      for (const uint16_t value : base) rows.push_back(random() % 3 == 0 ? static_cast<uint16_t>(random()) : value);
      active.push_back(3 * i + 1);
    }
    for (const uint64_t memory : {uint64_t{0}, ~uint64_t{0}}) {
      const auto levels = BandLevels::create(spec, join::signatures_in_memory(rows, 128), active, memory);
      ASSERT_TRUE(levels) << levels.error().message;
      EXPECT_EQ(levels->num_bands(levels->standard()), num_bands) << "the recipe's own";
      EXPECT_LE(levels->num_bands(levels->num_levels() - 1), 2 * num_bands);
      for (size_t i = 0; i < 40; ++i) {
        for (size_t j = 0; j < i; ++j) {
          const Signature a(rows.begin() + static_cast<ptrdiff_t>(128 * i),
                            rows.begin() + static_cast<ptrdiff_t>(128 * i + 128));
          const Signature b(rows.begin() + static_cast<ptrdiff_t>(128 * j),
                            rows.begin() + static_cast<ptrdiff_t>(128 * j + 128));
          const auto& bands = levels->rule().bands();
          const auto first = std::ranges::find_if(bands, [&](const join::Band& band) { return is_met(band, a, b); });
          if (first == bands.end()) continue;
          const auto place = levels->place(active[i], active[j]);
          ASSERT_TRUE(place);
          const auto needed = static_cast<int>(first - bands.begin()) + 1;
          EXPECT_GE(levels->num_bands(place->level), needed);
          EXPECT_TRUE(place->level == 0 || levels->num_bands(place->level - 1) < needed);
          EXPECT_EQ(place->num_equal, agreement_of(a, b).num_equal);
        }
      }
    }
  }
}

// How many of so many random fingerprints lie within the distance of one. A pair is a candidate of both documents, so
// where that is 1 there is half a pair for each.
double chance_within(int distance, double count) {
  double sum = 0, ways = 1;
  for (int bits = 0; bits <= distance; ++bits) {
    sum += ways;
    ways = ways * (64 - bits) / (bits + 1);
  }
  return std::ldexp(sum, -64) * count;
}

TEST(AutoDistanceOf, ChanceBringsAtMostHalfACandidate) {
  int before = kWidestAutoDistance;
  for (double count = 1; count < 1e19; count *= 1.3) {
    const int distance = auto_distance(static_cast<uint64_t>(count));
    EXPECT_LE(distance, before) << "never wider for more documents";
    EXPECT_GE(distance, 0);
    EXPECT_TRUE(distance == 0 || chance_within(distance, count) <= 1.1) << count;
    EXPECT_TRUE(distance == kWidestAutoDistance || chance_within(distance + 1, count) > 0.9) << count;
    before = distance;
  }
}

TEST(ShortTextSignature, IsOfItsSpecAndTheSameForTheSameFeatures) {
  recipe::Recipe recipe = recipe::default_recipe();
  ASSERT_TRUE(recipe::take_family(recipe, recipe::Family::kMinHash));
  auto fingerprinter = recipe::Fingerprinter::create(recipe, nullptr);
  ASSERT_TRUE(fingerprinter);
  recipe::TextFingerprint one, other;
  fingerprinter->fingerprint("a sentence of a few words", one);
  fingerprinter->fingerprint("a sentence of some words", other);
  const Signature signature = short_text_signature(one.short_text);
  EXPECT_EQ(signature.size(), static_cast<size_t>(short_text_spec().num_values));
  EXPECT_EQ(signature, short_text_signature(one.short_text));
  const uint32_t num_equal = agreement_of(signature, short_text_signature(other.short_text)).num_equal;
  EXPECT_GT(num_equal, 20U) << "most characters are the same";
  EXPECT_LT(num_equal, 120U) << "and not all";
  EXPECT_GT(short_text_bound(), 0);
  EXPECT_LT(short_text_bound(), short_text_spec().num_values);
}

}  // namespace
}  // namespace neardup::engine
