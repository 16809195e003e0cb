#include "neardup/cli/explain_bands.h"

#include <algorithm>

#include "neardup/fingerprint/signature.h"
#include "neardup/join/bands.h"

namespace neardup::cli {

Result<SignatureMatch> match_signatures(const simhash::MinHashSpec& spec, std::span<const uint16_t> a,
                                        std::span<const uint16_t> b) {
  NEARDUP_ASSIGN(const std::vector<join::Band> bands, join::make_bands(spec.num_values, spec.bands, spec.rows));
  SignatureMatch match;
  for (size_t i = 0; i < a.size(); ++i) match.equal.push_back(a[i] == b[i]);
  match.num_equal = fingerprint::count_equal(a, b);
  match.jaccard = fingerprint::estimated_jaccard(match.num_equal, a.size());
  match.error = fingerprint::jaccard_error(match.jaccard, a.size());
  for (const join::Band& band : bands) {
    match.bands.push_back(std::ranges::all_of(band, [&](uint16_t value) { return match.equal[value]; }));
    match.num_bands_met += match.bands.back();
  }
  match.probability = join::meeting_probability(match.jaccard, spec.bands, spec.rows);
  return match;
}

}  // namespace neardup::cli
