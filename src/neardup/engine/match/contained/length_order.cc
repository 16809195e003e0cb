#include "neardup/engine/match/contained/length_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace neardup::engine {

LengthOrder length_order(const Documents& documents, const ExactGroups& groups, std::span<const uint32_t> active,
                         std::span<const cluster::Assignment> assignments) {
  LengthOrder order;
  for (const uint32_t group : active) {
    if (assignments[group].kept != group) continue;
    order.groups.push_back(group);
    if (group < groups.num_reference_groups) ++order.num_references;
  }
  std::ranges::sort(order.groups, {}, [&](uint32_t group) {
    const int64_t num_tokens = documents.row(groups.best[group]).num_tokens;
    return std::tuple(group >= groups.num_reference_groups, -num_tokens, group);
  });
  return order;
}

Followers::Followers(std::span<const cluster::Assignment> assignments) : first_(assignments.size() + 1) {
  for (uint32_t group = 0; group < assignments.size(); ++group)
    if (assignments[group].kept != group) ++first_[assignments[group].kept + size_t{1}];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  followers_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (uint32_t group = 0; group < assignments.size(); ++group)
    if (assignments[group].kept != group) followers_[next[assignments[group].kept]++] = group;
}

}  // namespace neardup::engine
