#include "neardup/engine/match/signature_match.h"

#include "neardup/fingerprint/equal_values.h"
#include "neardup/join/bands.h"

namespace neardup::engine {

Result<SignatureMatch> match_signatures(const recipe::MinHashSpec& spec, std::span<const uint16_t> a,
                                        std::span<const uint16_t> b) {
  NEARDUP_ASSIGN(const std::vector<join::Band> bands, join::make_bands(spec.num_values, spec.bands, spec.rows));
  SignatureMatch match;
  uint64_t equal[fingerprint::mask_words(fingerprint::kMaxSignatureValues)];
  match.num_equal = static_cast<size_t>(fingerprint::equal_values(a.data(), b.data(), a.size(), equal));
  for (size_t i = 0; i < a.size(); ++i) match.equal.push_back((equal[i / 64] >> i % 64 & 1) != 0);
  match.jaccard = fingerprint::estimated_jaccard(match.num_equal, a.size());
  match.error = fingerprint::jaccard_error(match.jaccard, a.size());
  for (const join::Band& band : bands) {
    match.bands.push_back(join::ValueMask(band).within(equal));
    match.num_bands_met += match.bands.back();
  }
  match.probability = join::meeting_probability(match.jaccard, spec.bands, spec.rows);
  return match;
}

}  // namespace neardup::engine
