// Candidates as they stand in memory and on disk: in two sizes, with an order that is that of (worse, better,
// distance).
#pragma once

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "neardup/cluster/cluster.h"

namespace neardup::cluster {

/// 8 bytes for ranks below 2^28: 28 bits of each rank, 8 of the distance.
struct NarrowRecord {
  static constexpr uint64_t kMaxDocuments = uint64_t{1} << 28;
  uint64_t bits = 0;

  [[nodiscard]] static NarrowRecord pack(const Candidate& candidate) {
    return {uint64_t{candidate.worse} << 36 | uint64_t{candidate.better} << 8 | std::min(candidate.distance, 255U)};
  }
  [[nodiscard]] Candidate unpack() const {
    return {static_cast<uint32_t>(bits >> 8 & (kMaxDocuments - 1)), static_cast<uint32_t>(bits >> 36),
            static_cast<uint32_t>(bits & 255)};
  }
  [[nodiscard]] bool same_pair(const NarrowRecord& other) const { return bits >> 8 == other.bits >> 8; }
  auto operator<=>(const NarrowRecord&) const = default;
};
static_assert(sizeof(NarrowRecord) == 8);

/// 12 bytes for all ranks.
struct WideRecord {
  uint32_t worse = 0;
  uint32_t better = 0;
  uint32_t distance = 0;

  [[nodiscard]] static WideRecord pack(const Candidate& candidate) {
    return {candidate.worse, candidate.better, std::min(candidate.distance, 255U)};
  }
  [[nodiscard]] Candidate unpack() const { return {better, worse, distance}; }
  [[nodiscard]] bool same_pair(const WideRecord& other) const { return worse == other.worse && better == other.better; }
  auto operator<=>(const WideRecord&) const = default;
};
static_assert(sizeof(WideRecord) == 12);

inline void sort_records(std::vector<NarrowRecord>& records) {
  static_assert(std::is_standard_layout_v<NarrowRecord>);
  hwy::Sorter()(reinterpret_cast<uint64_t*>(records.data()), records.size(), hwy::SortAscending());
}
inline void sort_records(std::vector<WideRecord>& records) { std::ranges::sort(records); }

/// Sorts, and keeps of each pair the one with the smallest distance.
template <class Record>
void sort_and_unite(std::vector<Record>& records) {
  sort_records(records);
  const auto same = [](const Record& a, const Record& b) { return a.same_pair(b); };
  records.erase(std::unique(records.begin(), records.end(), same), records.end());
}

}  // namespace neardup::cluster
