// Patience: how long whoever began a piece of work is given to finish it, before somebody else does.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>

namespace neardup::remote {

/// Threads: any member from any number.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLong{10};

  /// The work was seen unfinished. Returns whether that has been so for long: then whoever is told finishes it, and all
  /// others have patience anew. What was not seen for twice as long is other work.
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
