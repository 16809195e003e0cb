#include "neardup/engine/match/band_rule.h"

#include <algorithm>

namespace neardup::engine {

Agreement agreement_of(std::span<const uint16_t> a, std::span<const uint16_t> b) {
  Agreement agreement;
  agreement.num_values = static_cast<uint32_t>(a.size());
  agreement.num_equal =
      static_cast<uint32_t>(fingerprint::equal_values(a.data(), b.data(), a.size(), agreement.equal.data()));
  return agreement;
}

Result<BandRule> BandRule::create(int num_values, int num_bands, int rows, int min_equal) {
  BandRule rule;
  NEARDUP_ASSIGN(rule.bands_, join::make_bands(num_values, num_bands, rows));
  rule.masks_ = std::vector<join::ValueMask>(rule.bands_.begin(), rule.bands_.end());
  rule.min_equal_ = min_equal;
  return rule;
}

size_t BandRule::first_met(const Agreement& agreement) const {
  const auto met = [&agreement](const join::ValueMask& band) { return band.within(agreement.equal.data()); };
  return static_cast<size_t>(std::ranges::find_if(masks_, met) - masks_.begin());
}

}  // namespace neardup::engine
