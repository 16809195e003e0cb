#include "neardup/api/compare.h"

#include <algorithm>

#include "neardup/api/field_words.h"
#include "neardup/api/options_of.h"
#include "neardup/engine/match/given_commonness.h"
#include "neardup/engine/match/pair_decision.h"
#include "neardup/engine/read/family.h"
#include "neardup/explain/verdict.h"
#include "neardup/fingerprint/value.h"
#include "neardup/verify/held.h"

namespace neardup {
namespace {

using engine::PairDecision;
using engine::PairRoute;

Comparison comparison_of(const PairDecision& decision) {
  Comparison comparison{.are_duplicates = decision.is_removed,
                        .are_equal = decision.route == PairRoute::kExact,
                        .are_candidates = decision.is_candidate || decision.route == PairRoute::kExact};
  if (decision.route == PairRoute::kExact) return comparison;
  if (decision.held) {
    comparison.is_contained = decision.held->is_contained;
    comparison.held = decision.held->held.share();
  }
  comparison.similarity = decision.verdict.similarity;
  comparison.asked = decision.asked;
  if (decision.match) {
    comparison.distance_of = static_cast<int>(decision.match->equal.size());
    comparison.distance = comparison.distance_of - static_cast<int>(decision.match->num_equal);
  } else if (!decision.distances.empty()) {
    comparison.distance_of = fingerprint::kNumBits;
    comparison.distance = *std::ranges::min_element(decision.distances);
  }
  return comparison;
}

Result<engine::DedupOptions> settled_options(const Matching& matching, double contained) {
  NEARDUP_ASSIGN(engine::DedupOptions options, options_of(matching));
  if (contained != 0) options.contained = contained;
  NEARDUP_TRY(engine::check_contained(options));
  engine::settle_rule(options);
  NEARDUP_TRY(engine::check_rule(options.verify, options.recipe));
  NEARDUP_TRY(engine::check_commonness(options));
  NEARDUP_TRY(engine::choose_family(options));
  return options;
}

// The tokens are those of either family; this one learns nothing from a corpus.
Result<recipe::Fingerprinter> tokens_only(const Recipe& recipe) {
  NEARDUP_ASSIGN(const engine::DedupOptions options,
                 settled_options({.recipe = recipe, .family = Family::kMinHash}, 1));
  return recipe::Fingerprinter::create(options.recipe, nullptr);
}

}  // namespace

Result<Comparison> compare(std::string_view a, std::string_view b, const Matching& matching, double contained) {
  NEARDUP_ASSIGN(engine::DedupOptions options, in_field_words(settled_options(matching, contained)));
  NEARDUP_ASSIGN(auto idf, idf_of(options.recipe, options.idf_file));
  std::shared_ptr<const verify::Commonness> common;
  if (!options.commonness_file.empty()) {
    NEARDUP_ASSIGN(common, engine::given_commonness(options.commonness_file));
  }
  options.verify.common = common.get();
  NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(options.recipe, std::move(idf)));
  recipe::TextFingerprint print_a, print_b;
  fingerprinter.fingerprint(a, print_a);
  fingerprinter.fingerprint(b, print_b);
  NEARDUP_ASSIGN(const PairDecision decision, engine::decide_pair(print_a, print_b, options));
  recipe::Explanation of_a, of_b;  // asked for only where one of the texts is too short
  if (decision.route == PairRoute::kTooShort) of_a = fingerprinter.explain(a), of_b = fingerprinter.explain(b);
  explain::VerdictText words = explain::verdict_text(decision, options, of_a, of_b);
  Comparison comparison = comparison_of(decision);
  comparison.verdict = std::move(words.title);
  comparison.reasons = std::move(words.reasons);
  return comparison;
}

Result<Contained> contained(std::string_view a, std::string_view b, const Recipe& recipe) {
  NEARDUP_ASSIGN(recipe::Fingerprinter fingerprinter, in_field_words(tokens_only(recipe)));
  recipe::TextFingerprint print_a, print_b;
  fingerprinter.fingerprint(a, print_a);
  fingerprinter.fingerprint(b, print_b);
  return Contained{verify::held_tokens(print_a.tokens, print_b.tokens).share(),
                   verify::held_tokens(print_b.tokens, print_a.tokens).share()};
}

}  // namespace neardup
