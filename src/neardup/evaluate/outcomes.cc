#include "neardup/evaluate/outcomes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace neardup::evaluate {
namespace {

// How many units the pairs of each stratum are dealt to.
std::vector<uint32_t> units_of_strata(std::span<const JudgedPair> pairs) {
  std::vector<uint32_t> sizes;
  for (const JudgedPair& pair : pairs) {
    if (pair.stratum >= sizes.size()) sizes.resize(pair.stratum + size_t{1});
    ++sizes[pair.stratum];
  }
  const size_t most = Outcomes::kMostUnits / std::max<size_t>(1, sizes.size());
  for (uint32_t& size : sizes) size = std::min(size, static_cast<uint32_t>(most));
  return sizes;
}

}  // namespace

Outcomes::Outcomes(const Truth& truth, size_t num_levels, size_t num_rules)
    : truth_(truth),
      num_levels_(num_levels),
      num_rules_(num_rules),
      first_levels_(truth.num_places() * num_rules, static_cast<uint8_t>(num_levels)) {}

void Outcomes::accept(uint32_t g, uint32_t h, size_t rule, uint32_t level) {
  const uint32_t place = truth_.place(g, h);
  if (place == Truth::kNoPlace) return;
  uint8_t& first = first_levels_[place * num_rules_ + rule];
  first = std::min(first, static_cast<uint8_t>(level));
}

template <class Take>
void Outcomes::for_each_accepted(const JudgedPair& pair, Take&& take) const {
  for (size_t rule = 0; rule < num_rules_; ++rule)
    for (size_t level = first_levels_[pair.place * num_rules_ + rule]; level < num_levels_; ++level)
      take(level * num_rules_ + rule);
}

std::vector<JudgedSlice> Outcomes::slices() const {
  std::map<std::pair<uint8_t, uint16_t>, JudgedSlice> slices;
  for (const JudgedPair& pair : truth_.judged()) {
    JudgedSlice& slice = slices[{pair.grade, pair.stratum}];
    if (slice.pairs++ == 0)
      slice = {pair.grade, pair.stratum, pair.same, 1, std::vector<uint64_t>(num_levels_ * num_rules_)};
    for_each_accepted(pair, [&slice](size_t setting) { ++slice.found[setting]; });
  }
  std::vector<JudgedSlice> sorted;
  sorted.reserve(slices.size());
  for (auto& [key, slice] : slices) sorted.push_back(std::move(slice));
  return sorted;
}

Sample Outcomes::sample() const {
  const std::vector<uint32_t> units = units_of_strata(truth_.judged());
  Sample sample(units, num_levels_ * num_rules_);
  std::vector<uint32_t> next(units.size(), 0);
  for (const JudgedPair& pair : truth_.judged()) {
    const size_t unit = sample.strata()[pair.stratum] + next[pair.stratum]++ % units[pair.stratum];
    if (pair.same) sample.add_same(unit, pair.weight);
    for_each_accepted(pair, [&](size_t setting) {
      sample.add(unit, setting, pair.same ? pair.weight : 0, pair.same ? 0 : pair.weight);
    });
  }
  return sample;
}

}  // namespace neardup::evaluate
