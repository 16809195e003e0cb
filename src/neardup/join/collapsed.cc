// Clusters depend on ranks, so distinct values are numbered by where each stands first, not by their size: sorted order
// would make another result. The first position of each value is found by an atomic minimum, so it is the same for any
// number of threads.
#include "neardup/join/collapsed.h"

#include <algorithm>
#include <atomic>

#include "neardup/base/threads.h"
#include "neardup/join/distinct.h"

namespace neardup::join {

using fingerprint::Fingerprint;

namespace {

// Calls body(i, index of set[i] among the distinct) for all i, with the look-ups of a batch under way together.
template <class Body>
Status for_each_index(std::span<const Fingerprint> set, const Distinct& distinct, int num_threads,
                      const Context& context, const Body& body) {
  constexpr size_t kChunk = size_t{1} << 16, kBatch = 32;
  return parallel_for(num_threads, (set.size() + kChunk - 1) / kChunk, [&](size_t chunk, int) -> Status {
    NEARDUP_TRY(context.check_cancel());
    const size_t end = std::min(set.size(), (chunk + 1) * kChunk);
    for (size_t i = chunk * kChunk; i < end; i += kBatch) {
      const size_t stop = std::min(end, i + kBatch);
      for (size_t j = i; j < stop; ++j) distinct.prefetch_offset(set[j]);
      for (size_t j = i; j < stop; ++j) distinct.prefetch_bucket(set[j]);
      for (size_t j = i; j < stop; ++j) body(j, distinct.lower_bound(set[j]));
    }
    return {};
  });
}

void lower(uint32_t& target, uint32_t value) {
  std::atomic_ref<uint32_t> atomic(target);
  uint32_t seen = atomic.load(std::memory_order_relaxed);
  while (value < seen && !atomic.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

Result<Collapsed> Collapsed::build(std::span<const Fingerprint> set, int num_threads, const Context& context) {
  NEARDUP_ASSIGN(const Distinct distinct, Distinct::build_fine(set, num_threads, context));
  Collapsed result;
  std::vector<uint32_t> first(distinct.size(), UINT32_MAX);  // by index: the first position, then the number
  result.numbers.resize(set.size());
  NEARDUP_TRY(for_each_index(set, distinct, num_threads, context, [&](size_t i, size_t index) {
    result.numbers[i] = static_cast<uint32_t>(index);
    lower(first[index], static_cast<uint32_t>(i));
  }));
  result.values.reserve(distinct.size());
  result.positions.reserve(distinct.size());
  for (uint32_t i = 0; i < set.size(); ++i) {
    const uint32_t index = result.numbers[i];
    if (first[index] == i) {
      first[index] = static_cast<uint32_t>(result.values.size());
      result.values.push_back(set[i]);
      result.positions.push_back(i);
    }
    // A number is never above the position it was made at, so what stands there is a number by now.
    result.numbers[i] = first[index];
  }
  return result;
}

}  // namespace neardup::join
