// TakeoverTimer: how long another process may take to finish the work that it began, before this one takes it over.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>

namespace neardup::remote {

/// Threads: any member from any number.
class TakeoverTimer {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLong{10};

  /// Call it when the work is seen unfinished. Returns true if it has been unfinished for kLong: the caller then
  /// finishes it, and the timer starts again. Work that was not seen for twice as long counts as new.
  [[nodiscard]] bool is_over(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (!first_seen_ || now - last_seen_ > 2 * kLong) first_seen_ = now;
    last_seen_ = now;
    if (now - *first_seen_ < kLong) return false;
    first_seen_.reset();
    return true;
  }

 private:
  std::mutex mutex_;  // of what follows
  std::optional<Clock::time_point> first_seen_;
  Clock::time_point last_seen_;
};

}  // namespace neardup::remote
