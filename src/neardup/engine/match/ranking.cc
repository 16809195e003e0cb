#include "neardup/engine/match/ranking.h"

#include <algorithm>
#include <numeric>

namespace neardup::engine {
namespace {

// Returns the documents in order of preference.
std::vector<uint32_t> rank_documents(const Documents& documents) {
  std::vector<uint32_t> order(documents.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto first_input = order.begin() + documents.num_references();
  const auto better = [&](uint32_t a, uint32_t b) {
    const double key_a = documents.row(a).keep_key, key_b = documents.row(b).keep_key;
    return key_a != key_b ? key_a < key_b : a < b;
  };
  if (!std::is_sorted(first_input, order.end(), better)) std::sort(first_input, order.end(), better);
  return order;
}

struct Keyed {
  Hash128 checksum;
  uint32_t rank;
  auto operator<=>(const Keyed&) const = default;
};

}  // namespace

ExactGroups group_exact(const Documents& documents) {
  const std::vector<uint32_t> order = rank_documents(documents);
  std::vector<Keyed> keyed(order.size());
  for (uint32_t rank = 0; rank < order.size(); ++rank) keyed[rank] = {documents.row(order[rank]).checksum, rank};
  std::sort(keyed.begin(), keyed.end());

  std::vector<uint32_t> leader(order.size());  // rank -> best rank of the same checksum
  for (size_t i = 0, first = 0; i < keyed.size(); ++i) {
    if (keyed[i].checksum != keyed[first].checksum) first = i;
    leader[keyed[i].rank] = keyed[first].rank;
  }
  keyed = std::vector<Keyed>();  // gives the memory back, which = {} would not

  ExactGroups groups;
  groups.group_of.resize(order.size());
  for (uint32_t rank = 0; rank < order.size(); ++rank) {  // leaders come before their group's other members
    const uint32_t document = order[rank];
    if (leader[rank] == rank) {
      groups.group_of[document] = groups.size();
      groups.best.push_back(document);
      if (document < documents.num_references()) ++groups.num_reference_groups;
    } else {
      groups.group_of[document] = groups.group_of[order[leader[rank]]];
    }
  }
  return groups;
}

std::vector<uint32_t> groups_with_features(const Documents& documents, const ExactGroups& groups) {
  std::vector<uint32_t> with_features;
  for (uint32_t group = 0; group < groups.size(); ++group)
    if ((documents.row(groups.best[group]).flags & kHasFeatures) != 0) with_features.push_back(group);
  return with_features;
}

}  // namespace neardup::engine
