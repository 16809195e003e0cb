// Which pairs are compared at all: --within and --size-within.
#pragma once

#include <algorithm>

#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Returns whether the values of the --within field are equal, and the sizes fit.
[[nodiscard]] inline bool may_be_compared(const Documents& documents, const ExactGroups& groups,
                                          const Decision& decision, uint32_t g, uint32_t h) {
  const Row &row_g = documents.row(groups.best[g]), &row_h = documents.row(groups.best[h]);
  return row_g.within == row_h.within && decision.sizes_fit(row_g.size_bytes, row_h.size_bytes);
}

/// Returns whether there may be pairs that are not compared. Cost: a look at the row of each group.
[[nodiscard]] inline bool leaves_pairs_out(const Documents& documents, const ExactGroups& groups,
                                           const Decision& decision) {
  if (decision.bounds().size_within) return true;
  return std::ranges::any_of(groups.best, [&](uint32_t document) {
    return documents.row(document).within != documents.row(groups.best.front()).within;
  });
}

}  // namespace neardup::engine
