#include "neardup/engine/match/pair_decision.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "neardup/engine/match/auto_distance.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/join/bands.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/short_texts.h"

namespace neardup::engine {
namespace {

using recipe::Print;

// `jaccard`: of the sets that were signed, where that is known.
Status match(const recipe::MinHashSpec& spec, std::span<const uint16_t> a, std::span<const uint16_t> b,
             std::optional<double> jaccard, PairDecision& decision) {
  NEARDUP_ASSIGN(decision.match, match_signatures(spec, a, b));
  SignatureMatch& match = *decision.match;
  if (jaccard) match.probability = join::meeting_probability(*jaccard, spec.bands, spec.rows);
  decision.is_candidate = match.num_bands_met > 0 && static_cast<int>(match.num_equal) >= decision.least_equal;
  return {};
}

Status decide_by_characters(const Print& a, const Print& b, const verify::Rule& rule, PairDecision& decision) {
  decision.verdict = verify::compare_short_texts(rule, a.short_text, b.short_text);
  decision.asked = verify::kShortTextSimilarity;
  decision.difference = verify::short_difference(rule, a.short_text, b.short_text);
  decision.least_equal = short_text_bound();
  return match(short_text_spec(), short_text_signature(a.short_text), short_text_signature(b.short_text),
               decision.verdict.similarity, decision);
}

void match_fingerprints(const Print& a, const Print& b, const DedupOptions& options, PairDecision& decision) {
  decision.max_distance = options.distance.value_or(auto_distance(2));
  for (size_t i = 0; i < a.fingerprints.size(); ++i) {
    decision.distances.push_back(std::popcount(a.fingerprints[i] ^ b.fingerprints[i]));
    decision.is_candidate |= decision.distances.back() <= decision.max_distance;
  }
}

Status decide_by_rule(const Print& a, const Print& b, const DedupOptions& options, PairDecision& decision) {
  decision.verdict = verify::compare_tokens(options.verify, a.tokens, b.tokens);
  decision.asked = verify::asked_similarity(options.verify, a.tokens, b.tokens);
  if (options.verify.kind == verify::Rule::Kind::kContent)
    decision.jaccard3 = verify::compare_tokens({verify::Rule::Kind::kOrigin}, a.tokens, b.tokens).similarity;
  if (decision.route == PairRoute::kSimHash) {
    match_fingerprints(a, b, options, decision);
    return {};
  }
  const recipe::MinHashSpec& spec = options.recipe.minhash;
  decision.least_equal = sketch_bound(options.verify, options.recipe);
  std::optional<double> jaccard;
  if (signs_what_is_compared(options.verify, spec))
    jaccard = options.verify.kind == verify::Rule::Kind::kContent ? decision.jaccard3 : decision.verdict.similarity;
  return match(spec, a.signature, b.signature, jaccard, decision);
}

PairRoute route_of(const Print& a, const Print& b, const DedupOptions& options) {
  if (a.checksum == b.checksum) return PairRoute::kExact;
  if (!a.has_features || !b.has_features) return PairRoute::kTooShort;
  const bool are_short = !a.short_text.empty() && !b.short_text.empty();
  if (are_short && verify::looks_at_characters(options.verify)) return PairRoute::kCharacters;
  return options.recipe.family == recipe::Family::kMinHash ? PairRoute::kMinHash : PairRoute::kSimHash;
}

}  // namespace

std::string_view name_of(PairRoute route) {
  switch (route) {
    case PairRoute::kExact:
      return "exact";
    case PairRoute::kTooShort:
      return "too_short";
    case PairRoute::kCharacters:
      return "characters";
    case PairRoute::kMinHash:
      return "minhash";
    case PairRoute::kSimHash:
      return "simhash";
  }
  return {};
}

Result<PairDecision> decide_pair(const Print& a, const Print& b, const DedupOptions& options) {
  PairDecision decision;
  decision.route = route_of(a, b, options);
  if (decision.route == PairRoute::kExact) decision.is_removed = true;
  if (decision.route == PairRoute::kExact || decision.route == PairRoute::kTooShort) return decision;
  NEARDUP_TRY(decision.route == PairRoute::kCharacters ? decide_by_characters(a, b, options.verify, decision)
                                                       : decide_by_rule(a, b, options, decision));
  decision.is_removed = decision.is_candidate && decision.verdict.similar;
  return decision;
}

}  // namespace neardup::engine
