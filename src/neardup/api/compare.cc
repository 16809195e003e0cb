#include "neardup/api/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/api/options_of.h"
#include "neardup/engine/match/given_commonness.h"
#include "neardup/engine/match/pair_decision.h"
#include "neardup/engine/read/family.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/fingerprint/value.h"

namespace neardup {
namespace {

using engine::PairDecision;
using engine::PairRoute;

std::string similarity_reason(const PairDecision& decision) {
  const bool enough = decision.verdict.similarity >= decision.asked;
  return fmt::format("{} {:.3f}, {} {:.2f} that it takes{}.",
                     decision.route == PairRoute::kCharacters
                         ? "Both texts are short: the similarity of their characters is"
                         : "Their similarity is",
                     decision.verdict.similarity, enough ? "at least the" : "less than the", decision.asked,
                     enough && !decision.verdict.similar ? ", but what differs tells them apart" : "");
}

std::string candidates_reason(const PairDecision& decision) {
  const char* no = decision.is_candidate ? "" : "no ";
  if (decision.match)
    return fmt::format("They are {}candidates: {} of {} bands are equal, and {} of {} values.", no,
                       decision.match->num_bands_met, decision.match->bands.size(), decision.match->num_equal,
                       decision.match->equal.size());
  return fmt::format("They are {}candidates: their fingerprints differ in {} of 64 bits, and at most {} may.", no,
                     *std::ranges::min_element(decision.distances), decision.max_distance);
}

std::vector<std::string> reasons_of(const PairDecision& decision) {
  if (decision.route == PairRoute::kExact) return {"Once normalised they are one text."};
  if (decision.route == PairRoute::kTooShort)
    return {"One of them has too few words, or was not read to its end: only an equal text would be a duplicate."};
  std::vector<std::string> reasons = {similarity_reason(decision), candidates_reason(decision)};
  if (decision.verdict.similar && !decision.is_candidate) std::swap(reasons[0], reasons[1]);
  return reasons;
}

Comparison comparison_of(const PairDecision& decision) {
  Comparison comparison{.are_duplicates = decision.is_removed,
                        .are_equal = decision.route == PairRoute::kExact,
                        .are_candidates = decision.is_candidate || decision.route == PairRoute::kExact,
                        .reasons = reasons_of(decision)};
  if (decision.route == PairRoute::kExact) return comparison;
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

}  // namespace

Result<Comparison> compare(std::string_view a, std::string_view b, const Matching& matching) {
  NEARDUP_ASSIGN(engine::DedupOptions options, options_of(matching));
  engine::settle_rule(options);
  NEARDUP_TRY(engine::check_rule(options.verify, options.recipe));
  NEARDUP_TRY(engine::check_commonness(options));
  NEARDUP_TRY(engine::settle_family(options, engine::family_within_memory(options)));
  NEARDUP_TRY(check_learns_nothing(options.recipe, options.idf_file));
  NEARDUP_ASSIGN(auto idf, engine::provide_idf(options.recipe, options.idf_file, {}, {}, {}, {}));
  std::shared_ptr<const verify::Commonness> common;
  if (!options.commonness_file.empty()) {
    NEARDUP_ASSIGN(common, engine::given_commonness(options.commonness_file));
  }
  options.verify.common = common.get();
  NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(options.recipe, std::move(idf)));
  recipe::Print print_a, print_b;
  fingerprinter.fingerprint(a, print_a);
  fingerprinter.fingerprint(b, print_b);
  NEARDUP_ASSIGN(const PairDecision decision, engine::decide_pair(print_a, print_b, options));
  return comparison_of(decision);
}

}  // namespace neardup
