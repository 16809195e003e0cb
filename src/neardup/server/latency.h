// Quantiles of the latency of late.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace neardup::server {

/// Latencies of the last kWindow to 2 kWindow, in buckets of an eighth of a power of two. Threads: any; figures may be
/// off by what comes meanwhile.
class LatencyWindow {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kWindow{10};

  void add(Clock::time_point now, std::chrono::microseconds latency);
  struct Quantiles {
    uint64_t p50 = 0, p90 = 0, p99 = 0;  // microseconds, rounded up to the end of a bucket; 0 where there were none
  };
  [[nodiscard]] Quantiles quantiles(Clock::time_point now);

 private:
  static constexpr size_t kBuckets = 256;
  using Counts = std::array<std::atomic<uint64_t>, kBuckets>;
  void turn(Clock::time_point now);

  std::array<Counts, 2> counts_{};  // of this window, and of the one before
  std::atomic<int64_t> window_ = 0;
};

}  // namespace neardup::server
