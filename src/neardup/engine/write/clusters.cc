#include "neardup/engine/write/clusters.h"

#include <algorithm>

namespace neardup::engine {

Clusters::Clusters(const std::vector<DocumentFate>& fates) {
  for (uint32_t document = 0; document < fates.size(); ++document)
    if (is_removed(fates[document].fate)) removed_.push_back(document);
  std::sort(removed_.begin(), removed_.end(), [&](uint32_t a, uint32_t b) {
    return fates[a].kept != fates[b].kept ? fates[a].kept < fates[b].kept : a < b;
  });
  for (size_t i = 0; i < removed_.size(); ++i) {
    if (!kept_.empty() && kept_.back() == fates[removed_[i]].kept) continue;
    kept_.push_back(fates[removed_[i]].kept);
    first_.push_back(i);
  }
  first_.push_back(removed_.size());
}

uint32_t Clusters::find(uint32_t kept_document) const {
  const auto found = std::lower_bound(kept_.begin(), kept_.end(), kept_document);
  if (found == kept_.end() || *found != kept_document) return kNoCluster;
  return static_cast<uint32_t>(found - kept_.begin());
}

}  // namespace neardup::engine
