#include "neardup/server/latency.h"

#include <algorithm>
#include <bit>

namespace neardup::server {
namespace {

constexpr int kStepBits = 3;  // eight buckets for each power of two

size_t bucket_of(uint64_t value) {
  if (value < (uint64_t{1} << kStepBits)) return value;
  const int shift = static_cast<int>(std::bit_width(value)) - 1 - kStepBits;
  return (static_cast<size_t>(shift + 1) << kStepBits) + ((value >> shift) & ((uint64_t{1} << kStepBits) - 1));
}

/// Returns the greatest value of a bucket.
uint64_t end_of(size_t bucket) {
  if (bucket < (size_t{1} << kStepBits)) return bucket;
  const size_t shift = (bucket >> kStepBits) - 1;
  const uint64_t step = (bucket & ((size_t{1} << kStepBits) - 1)) + (uint64_t{1} << kStepBits);
  return ((step + 1) << shift) - 1;
}

}  // namespace

void LatencyWindow::turn(Clock::time_point now) {
  const int64_t window = now.time_since_epoch() / kWindow;
  int64_t before = window_.load();
  if (before >= window || !window_.compare_exchange_strong(before, window)) return;
  const auto clear = [](Counts& counts) {
    for (auto& count : counts) count.store(0, std::memory_order_relaxed);
  };
  clear(counts_[static_cast<size_t>(window & 1)]);
  if (window > before + 1) clear(counts_[static_cast<size_t>(~window & 1)]);
}

void LatencyWindow::add(Clock::time_point now, std::chrono::microseconds latency) {
  turn(now);
  const size_t bucket = bucket_of(static_cast<uint64_t>(std::max<int64_t>(latency.count(), 0)));
  counts_[static_cast<size_t>(window_.load() & 1)][std::min(bucket, kBuckets - 1)].fetch_add(1,
                                                                                             std::memory_order_relaxed);
}

LatencyWindow::Quantiles LatencyWindow::quantiles(Clock::time_point now) {
  turn(now);
  std::array<uint64_t, kBuckets> sums{};
  uint64_t total = 0;
  for (size_t b = 0; b < kBuckets; ++b) total += sums[b] = counts_[0][b].load() + counts_[1][b].load();
  const auto at = [&](uint64_t percent) -> uint64_t {
    uint64_t left = (total * percent + 99) / 100;
    for (size_t b = 0; b < kBuckets && left > 0; ++b) {
      if (sums[b] >= left) return end_of(b);
      left -= sums[b];
    }
    return 0;
  };
  return {at(50), at(90), at(99)};
}

}  // namespace neardup::server
