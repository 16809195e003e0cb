#include "neardup/engine/match/signature_match.h"

#include "neardup/engine/match/band_rule.h"
#include "neardup/join/bands.h"

namespace neardup::engine {

Result<SignatureMatch> match_signatures(const recipe::MinHashSpec& spec, std::span<const uint16_t> a,
                                        std::span<const uint16_t> b) {
  NEARDUP_ASSIGN(const BandRule rule, BandRule::create(spec.num_values, spec.bands, spec.rows, 0));
  const Agreement agreement = agreement_of(a, b);
  SignatureMatch match;
  match.num_equal = agreement.num_equal;
  for (size_t i = 0; i < a.size(); ++i) match.equal.push_back(agreement.at(i));
  match.jaccard = fingerprint::estimated_jaccard(match.num_equal, a.size());
  match.error = fingerprint::jaccard_error(match.jaccard, a.size());
  for (size_t band = 0; band < rule.bands().size(); ++band) {
    match.bands.push_back(rule.meet_in(band, agreement));
    match.num_bands_met += match.bands.back();
  }
  match.probability = join::meeting_probability(match.jaccard, spec.bands, spec.rows);
  return match;
}

}  // namespace neardup::engine
