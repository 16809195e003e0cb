// Candidates as they stand in memory and on disk: in two sizes, with an order that is that of (worse, better,
// distance). Records have no initial values, so that large arrays of them can be had without writing to them.
#pragma once

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "neardup/base/radix_sort.h"
#include "neardup/cluster/candidate.h"

namespace neardup::cluster {

/// 8 bytes for ranks below 2^26: 26 bits of each rank, 12 of the distance, as signatures have up to 1,024 values.
struct NarrowRecord {
  static constexpr int kDistanceBits = 12, kRankBits = 26;
  static constexpr uint64_t kMaxDocuments = uint64_t{1} << kRankBits;
  uint64_t bits;

  [[nodiscard]] static NarrowRecord pack(const Candidate& candidate) {
    return {uint64_t{candidate.worse} << (kRankBits + kDistanceBits) | uint64_t{candidate.better} << kDistanceBits |
            std::min(candidate.distance, kUnknownDistance)};
  }
  [[nodiscard]] Candidate unpack() const {
    return {static_cast<uint32_t>(bits >> kDistanceBits & (kMaxDocuments - 1)), worse_rank(),
            static_cast<uint32_t>(bits & kUnknownDistance)};
  }
  [[nodiscard]] uint32_t worse_rank() const { return static_cast<uint32_t>(bits >> (kRankBits + kDistanceBits)); }
  [[nodiscard]] bool same_pair(const NarrowRecord& other) const {
    return bits >> kDistanceBits == other.bits >> kDistanceBits;
  }
  auto operator<=>(const NarrowRecord&) const = default;
};
static_assert(sizeof(NarrowRecord) == 8);
static_assert(kUnknownDistance == (1U << NarrowRecord::kDistanceBits) - 1);

/// 12 bytes for all ranks.
struct WideRecord {
  uint32_t worse;
  uint32_t better;
  uint32_t distance;

  [[nodiscard]] static WideRecord pack(const Candidate& candidate) {
    return {candidate.worse, candidate.better, std::min(candidate.distance, kUnknownDistance)};
  }
  [[nodiscard]] Candidate unpack() const { return {better, worse, distance}; }
  [[nodiscard]] uint32_t worse_rank() const { return worse; }
  [[nodiscard]] bool same_pair(const WideRecord& other) const { return worse == other.worse && better == other.better; }
  auto operator<=>(const WideRecord&) const = default;
};
static_assert(sizeof(WideRecord) == 12);

/// Sorts in order of (worse, better, distance). `scratch` stays small; it is there to be used again.
inline void sort_records(std::span<NarrowRecord> records, std::vector<uint64_t>& scratch) {
  static_assert(std::is_standard_layout_v<NarrowRecord>);
  constexpr size_t kFewForRadix = 512, kMostForRadix = size_t{1} << 18;  // clearing of counts; size of scratch
  auto* words = reinterpret_cast<uint64_t*>(records.data());
  if (records.size() < kFewForRadix) return std::sort(words, words + records.size());
  if (records.size() <= kMostForRadix) return radix_sort(std::span(words, records.size()), scratch);
  hwy::Sorter()(words, records.size(), hwy::SortAscending());
}
inline void sort_records(std::span<WideRecord> records, std::vector<uint64_t>&) { std::ranges::sort(records); }

/// Sorts, and moves to the front of each pair the record with the smallest distance. Returns how many pairs there are.
template <class Record>
[[nodiscard]] size_t sort_and_unite(std::span<Record> records, std::vector<uint64_t>& scratch) {
  sort_records(records, scratch);
  const auto same = [](const Record& a, const Record& b) { return a.same_pair(b); };
  return static_cast<size_t>(std::unique(records.begin(), records.end(), same) - records.begin());
}

}  // namespace neardup::cluster
