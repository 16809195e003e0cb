#include "neardup/engine/match/ranking.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

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

// Half of a checksum, in two numbers so that it takes 12 bytes, and who has it.
struct Keyed {
  uint32_t high, low, rank;
  Keyed() = default;
  Keyed(const Hash128& checksum, uint32_t of)
      : high(static_cast<uint32_t>(checksum.low >> 32)), low(static_cast<uint32_t>(checksum.low)), rank(of) {}
  [[nodiscard]] bool has_half_of(const Keyed& other) const { return high == other.high && low == other.low; }
  auto operator<=>(const Keyed&) const = default;
};

// Writes for each of `keyed`, which share half of their checksums and are in order of rank, the best rank that has all
// of its checksum.
template <class ChecksumOf>
void lead(std::span<Keyed> keyed, const ChecksumOf& checksum_of, std::vector<uint32_t>& leader) {
  const auto checksum = [&](const Keyed& one) { return checksum_of(one.rank); };
  const bool are_copies = std::ranges::all_of(
      keyed, [&, first = checksum(keyed.front())](const Keyed& one) { return checksum(one) == first; });
  if (!are_copies) std::ranges::sort(keyed, {}, [&](const Keyed& one) { return std::pair(checksum(one), one.rank); });
  for (size_t i = 0, first = 0; i < keyed.size(); ++i) {
    if (!are_copies && checksum(keyed[i]) != checksum(keyed[first])) first = i;
    leader[keyed[i].rank] = keyed[first].rank;
  }
}

}  // namespace

ExactGroups group_exact(const Documents& documents) {
  const std::vector<uint32_t> order = rank_documents(documents);
  const auto checksum_of = [&](uint32_t rank) { return documents.row(order[rank]).checksum; };
  std::vector<Keyed> keyed;
  keyed.reserve(order.size());
  for (uint32_t rank = 0; rank < order.size(); ++rank) keyed.emplace_back(checksum_of(rank), rank);
  std::sort(keyed.begin(), keyed.end());

  std::vector<uint32_t> leader(order.size());  // rank -> best rank of the same checksum
  std::iota(leader.begin(), leader.end(), 0U);
  for (size_t begin = 0, end = 0; begin < keyed.size(); begin = end) {
    while (end < keyed.size() && keyed[end].has_half_of(keyed[begin])) ++end;
    if (end - begin > 1) lead(std::span(keyed).subspan(begin, end - begin), checksum_of, leader);
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
