#include "neardup/engine/match/pair_decision.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/join/bands.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/short_texts.h"

namespace neardup::engine {
namespace {

using recipe::TextFingerprint;
using verify::Rule;

// `jaccard`: of the sets that were signed, where that is known.
Status show_match(const recipe::MinHashSpec& spec, std::span<const uint16_t> a, std::span<const uint16_t> b,
                  std::optional<double> jaccard, PairDecision& shown) {
  NEARDUP_ASSIGN(shown.match, match_signatures(spec, a, b));
  if (jaccard) shown.match->probability = join::meeting_probability(*jaccard, spec.bands, spec.rows);
  return {};
}

Status show_characters(const TextFingerprint& a, const TextFingerprint& b, const Rule& rule, PairDecision& shown) {
  shown.asked = verify::kShortTextSimilarity;
  shown.difference = verify::short_difference(rule, a.short_text, b.short_text);
  return show_match(short_text_spec(), short_text_signature(a.short_text), short_text_signature(b.short_text),
                    shown.verdict.similarity, shown);
}

void show_fingerprints(const TextFingerprint& a, const TextFingerprint& b, const Decision& decision,
                       PairDecision& shown) {
  shown.max_distance = decision.bounds().max_distance;
  for (size_t i = 0; i < a.fingerprints.size(); ++i)
    shown.distances.push_back(std::popcount(a.fingerprints[i] ^ b.fingerprints[i]));
}

Status show_by_rule(const TextFingerprint& a, const TextFingerprint& b, const Decision& decision,
                    const recipe::MinHashSpec& spec, PairDecision& shown) {
  const Rule& rule = decision.rule();
  shown.asked = verify::asked_similarity(rule, a.tokens, b.tokens);
  if (rule.kind == Rule::Kind::kContent)
    shown.jaccard3 = verify::compare_tokens({Rule::Kind::kOrigin}, a.tokens, b.tokens).similarity;
  if (shown.route == PairRoute::kSimHash) {
    show_fingerprints(a, b, decision, shown);
    return {};
  }
  std::optional<double> jaccard;
  if (signs_what_is_compared(rule, spec))
    jaccard = rule.kind == Rule::Kind::kContent ? shown.jaccard3 : shown.verdict.similarity;
  return show_match(spec, a.signature, b.signature, jaccard, shown);
}

void show_apart(const TextFingerprint& a, const TextFingerprint& b, const Decision& decision, bool same_within,
                PairDecision& shown) {
  const auto [smaller, larger] = std::minmax(a.size_bytes, b.size_bytes);
  if (larger > 0) shown.size_difference = static_cast<double>(larger - smaller) / static_cast<double>(larger);
  if (!decision.sizes_fit(smaller, larger)) shown.apart = KeptApart::kBySize;
  if (!same_within) shown.apart = KeptApart::kByField;
  if (shown.apart != KeptApart::kNo) shown.is_removed = false;
}

// Whether two different texts that are compared are near-duplicates comes first.
PairContainment held_by_longer(std::span<const uint32_t> a, std::span<const uint32_t> b, double asked) {
  PairContainment held;
  held.a_is_shorter = a.size() < b.size();
  const auto [shorter, longer] = held.a_is_shorter ? std::pair(a, b) : std::pair(b, a);
  held.is_longer_enough = verify::is_longer(longer.size(), shorter.size(), asked);
  held.held = verify::held_tokens(shorter, longer);
  held.asked = verify::share_to_hold(longer.size(), shorter.size(), asked);
  held.is_contained = held.is_longer_enough && held.held.reaches(held.asked);
  return held;
}

}  // namespace

Result<PairDecision> decide_pair(const TextFingerprint& a, const TextFingerprint& b, const DedupOptions& options,
                                 bool same_within) {
  const int max_distance = options.distance.value_or(auto_distance(options.num_documents));
  const PairBounds bounds{max_distance, options.size_within, options.contained};
  NEARDUP_ASSIGN(const Decision decision, Decision::create(options.recipe, options.verify, bounds));
  const PairSide side_a = side_of(a), side_b = side_of(b);
  PairDecision shown;
  shown.route = decision.route(side_a, side_b);
  shown.is_removed = decision.are_duplicates(side_a, side_b);
  show_apart(a, b, decision, same_within, shown);
  if (shown.route == PairRoute::kExact || shown.route == PairRoute::kTooShort) return shown;
  if (options.contained) {
    shown.held = held_by_longer(a.tokens, b.tokens, *options.contained);
    shown.held->is_contained = shown.held->is_contained && !shown.is_removed && shown.apart == KeptApart::kNo;
  }
  if (!options.distance) shown.num_documents = options.num_documents;
  shown.is_candidate = decision.meet(shown.route, side_a, side_b).are_candidates;
  shown.least_equal = decision.band_rule(shown.route).min_equal();
  shown.verdict = decision.compare(shown.route, side_a, side_b);
  NEARDUP_TRY(shown.route == PairRoute::kCharacters ? show_characters(a, b, options.verify, shown)
                                                    : show_by_rule(a, b, decision, options.recipe.minhash, shown));
  return shown;
}

}  // namespace neardup::engine
