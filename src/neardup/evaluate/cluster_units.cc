#include "neardup/evaluate/cluster_units.h"

#include <algorithm>
#include <utility>

namespace neardup::evaluate {
namespace {

Sample empty_sample(const Truth& truth, size_t num_settings) {
  const auto documents = static_cast<uint32_t>(truth.labels().size());
  const uint32_t num_units = std::clamp<uint32_t>(documents, 1, ClusterUnits::kMostUnits);
  return Sample(std::span(&num_units, 1), num_settings);
}

}  // namespace

ClusterUnits::ClusterUnits(const Truth& truth, std::span<const uint32_t> document_of, size_t num_levels,
                           size_t num_rules)
    : num_levels_(num_levels),
      num_rules_(num_rules),
      unit_of_(document_of.size()),
      sample_(empty_sample(truth, num_levels * num_rules)) {
  const auto num_units = static_cast<uint32_t>(sample_.num_units());
  const std::vector<uint32_t> clusters = truth.clusters();
  for (size_t group = 0; group < document_of.size(); ++group)
    unit_of_[group] = static_cast<uint16_t>(clusters[document_of[group]] % num_units);
  const std::vector<uint64_t> same = truth.same_of_clusters(clusters);
  for (size_t cluster = 0; cluster < same.size(); ++cluster)
    sample_.add_same(cluster % num_units, static_cast<double>(same[cluster]));
}

Sample ClusterUnits::take() {
  for (size_t setting = num_rules_; setting < num_levels_ * num_rules_; ++setting) {
    for (size_t unit = 0; unit < sample_.num_units(); ++unit) {
      const Counts before = sample_.at(unit, setting - num_rules_);
      sample_.add(unit, setting, before.right, before.wrong);
    }
  }
  return std::move(sample_);
}

}  // namespace neardup::evaluate
