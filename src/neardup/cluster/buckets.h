// Records of many threads, sorted in memory: first into buckets by their worse rank, then each bucket by itself.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/threads.h"
#include "neardup/cluster/records.h"

namespace neardup::cluster {

/// Enough for buckets that fit in a core's cache, few enough to write to all of them at once.
inline constexpr int kBucketBits = 9;
inline constexpr size_t kNumBuckets = size_t{1} << kBucketBits;

/// Where the next record of each bucket goes.
using BucketPlaces = std::array<uint64_t, kNumBuckets>;

/// Turns the numbers of records of each lane in each bucket into places: bucket by bucket, in each lane by lane.
/// Returns where the buckets end.
inline std::vector<uint64_t> places_of(std::vector<BucketPlaces>& lanes) {
  std::vector<uint64_t> ends;
  uint64_t place = 0;
  for (size_t bucket = 0; bucket < kNumBuckets; ++bucket) {
    for (BucketPlaces& lane : lanes) {
      const uint64_t count = lane[bucket];
      lane[bucket] = place;
      place += count;
    }
    ends.push_back(place);
  }
  return ends;
}

/// Sorts the records of all lanes into `sorted` and keeps of each pair the one with the smallest distance. Returns the
/// buckets, views into `sorted` which stand in order; some may be empty.
/// Requires: sorted.size() is that of all lanes; ranks below num_documents.
template <class Record>
[[nodiscard]] Result<std::vector<std::span<const Record>>> sort_in_buckets(
    std::span<const std::span<const Record>> lanes, uint64_t num_documents, int num_threads, std::span<Record> sorted) {
  const int shift = std::max(static_cast<int>(std::bit_width(num_documents - 1)) - kBucketBits, 0);
  std::vector<BucketPlaces> places(lanes.size(), BucketPlaces{});
  NEARDUP_TRY(parallel_for(num_threads, lanes.size(), [&](size_t lane, int) -> Status {
    for (const Record& record : lanes[lane]) ++places[lane][record.worse_rank() >> shift];
    return {};
  }));
  const std::vector<uint64_t> ends = places_of(places);
  NEARDUP_TRY(parallel_for(num_threads, lanes.size(), [&](size_t lane, int) -> Status {
    for (const Record& record : lanes[lane]) sorted[places[lane][record.worse_rank() >> shift]++] = record;
    return {};
  }));
  std::vector<std::span<const Record>> buckets(kNumBuckets);
  std::vector<std::vector<uint64_t>> scratch(static_cast<size_t>(num_threads));
  NEARDUP_TRY(parallel_for(num_threads, kNumBuckets, [&](size_t bucket, int thread) -> Status {
    const uint64_t begin = bucket == 0 ? 0 : ends[bucket - 1];
    const std::span<Record> records = sorted.subspan(begin, ends[bucket] - begin);
    buckets[bucket] = records.first(sort_and_unite(records, scratch[static_cast<size_t>(thread)]));
    return {};
  }));
  return buckets;
}

}  // namespace neardup::cluster
