// Which pairs are compared at all: --within and --size-within.
#pragma once

#include <algorithm>
#include <optional>

#include "neardup/engine/match/ranking.h"
#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Returns whether the values of the --within field are equal, and the sizes differ by no more than the share
/// `size_within` of the larger.
[[nodiscard]] inline bool may_be_compared(const Documents& documents, const ExactGroups& groups,
                                          std::optional<double> size_within, uint32_t g, uint32_t h) {
  const Row &row_g = documents.row(groups.best[g]), &row_h = documents.row(groups.best[h]);
  if (row_g.within != row_h.within) return false;
  if (!size_within) return true;
  const auto [smaller, larger] = std::minmax(row_g.size_bytes, row_h.size_bytes);
  return static_cast<double>(larger - smaller) <= *size_within * static_cast<double>(larger);
}

}  // namespace neardup::engine
