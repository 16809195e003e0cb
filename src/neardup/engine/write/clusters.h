// Clusters as lists: who was removed in favour of whom.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/engine/match/outcome.h"

namespace neardup::engine {

inline constexpr uint32_t kNoCluster = 0xFFFFFFFF;

/// All clusters with at least one removed document, numbered by the kept document's number.
class Clusters {
 public:
  explicit Clusters(const std::vector<DocumentFate>& fates);

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(kept_.size()); }
  [[nodiscard]] uint32_t kept(uint32_t cluster) const { return kept_[cluster]; }
  /// Removed documents, ascending.
  [[nodiscard]] std::span<const uint32_t> removed(uint32_t cluster) const {
    return std::span(removed_).subspan(first_[cluster], first_[cluster + 1] - first_[cluster]);
  }
  /// The cluster of a kept document; kNoCluster where nothing was removed in its favour.
  [[nodiscard]] uint32_t find(uint32_t kept_document) const;

 private:
  std::vector<uint32_t> kept_;
  std::vector<size_t> first_;
  std::vector<uint32_t> removed_;
};

}  // namespace neardup::engine
