// Ranking and exact duplicates: which document of equal ones is preferred, and who has the same text.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Documents grouped by checksum. Groups are numbered by the rank of their best member, so group 0 holds the document
/// that the keep rule prefers to all others. References rank before inputs, then the keep key decides, then the
/// document's number.
struct ExactGroups {
  std::vector<uint32_t> best;         // group -> its preferred document
  std::vector<uint32_t> group_of;     // document -> group
  uint32_t num_reference_groups = 0;  // groups whose best document is a reference; they come first

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(best.size()); }
};

/// Cost: O(n log n) time; memory while it runs: 24 bytes a document (rank 4, half a checksum and rank 12, leader 4;
/// then the result), of which at most 8 stay.
[[nodiscard]] ExactGroups group_exact(const Documents& documents);

/// Returns the groups whose preferred document has fingerprints or a signature, ascending.
[[nodiscard]] std::vector<uint32_t> groups_with_features(const Documents& documents, const ExactGroups& groups);

}  // namespace neardup::engine
