// The order in which documents are decided that others may contain: those that can hold one come before it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/cluster/assignment.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Groups by rank: references first, then all others, the longest first; equal ones by their number.
struct LengthOrder {
  std::vector<uint32_t> groups;
  uint32_t num_references = 0;  // groups whose best document is a reference
};

/// Returns the order of those groups of `active` that `assignments` keeps.
[[nodiscard]] LengthOrder length_order(const Documents& documents, const ExactGroups& groups,
                                       std::span<const uint32_t> active,
                                       std::span<const cluster::Assignment> assignments);

/// The groups that were removed for each kept one.
class Followers {
 public:
  explicit Followers(std::span<const cluster::Assignment> assignments);
  /// Ascending.
  [[nodiscard]] std::span<const uint32_t> of(uint32_t group) const {
    return std::span(followers_).subspan(first_[group], first_[group + size_t{1}] - first_[group]);
  }

 private:
  std::vector<uint32_t> first_, followers_;
};

}  // namespace neardup::engine
