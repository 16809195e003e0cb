// The adjusted Rand index of a partition that grows by unions against a fixed one.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

namespace neardup::evaluate {

/// A document without a label: in the labels' partition it stands alone.
inline constexpr uint32_t kNoLabel = std::numeric_limits<uint32_t>::max();

/// Starts with every document alone; unite() joins clusters; value() tells how well they agree with the labels.
/// Cost: all unions together O(n log n) expected (the smaller cluster moves). Memory: 12 bytes a document, 40 a label.
/// Threads: one at a time. Source: Hubert and Arabie, Comparing partitions, Journal of Classification 2 (1985).
class RandIndex {
 public:
  /// Requires: fewer than 2^32 - 1 labels.
  explicit RandIndex(std::span<const uint32_t> labels);

  void unite(uint32_t a, uint32_t b);

  /// Returns 1 where the partitions are equal, about 0 where they agree as chance would, less where worse.
  [[nodiscard]] double value() const;

 private:
  uint32_t find(uint32_t document);
  uint32_t& count_of(uint32_t root, uint32_t label) { return counts_[uint64_t{root} << 32 | label]; }
  void move_members(uint32_t from, uint32_t to);

  std::span<const uint32_t> labels_;
  std::vector<uint32_t> parents_;
  std::vector<uint32_t> sizes_;
  std::vector<uint32_t> next_;                     // the members of a cluster as a ring
  std::unordered_map<uint64_t, uint32_t> counts_;  // root and label -> members with that label
  double together_in_both_ = 0;                    // pairs of documents
  double together_in_labels_ = 0;
  double together_here_ = 0;
};

}  // namespace neardup::evaluate
