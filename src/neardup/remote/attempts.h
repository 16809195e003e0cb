// How often what did not happen is tried again, and how long is waited before.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <thread>

#include "neardup/base/result.h"

namespace neardup::remote {

/// Of one call. Threads: one at a time.
class Attempts {
 public:
  /// `limit`: how long the server is tried to be reached by one question.
  explicit Attempts(std::chrono::milliseconds limit) : limit_(limit) {}
  /// What may fail begins only now: what went before took its own time.
  void begin() { begin_ = Clock::now(); }
  /// Others changed the same: waits for a moment that grows, and by chance, so that they do not meet again. Errors: kIo
  /// where it came to that too often.
  [[nodiscard]] Status after_conflict() {
    if (++conflicts_ > kMostConflicts)
      return fail(Code::kIo,
                  "other clients changed the same documents each time before this one could; send them again, "
                  "or let fewer clients write at once");
    if (conflicts_ > 1) pause(std::min(conflicts_, kMostDoublings));
    return {};
  }
  /// The server failed: returns whether it is to be tried once more, and waits where it is. Where it was waited for in
  /// vain that is enough: whoever calls has one limit.
  [[nodiscard]] bool once_more(const Error& error) {
    const bool was_waited_for = Clock::now() - begin_ > limit_ / 2;  // waits end before the pause that is too long
    if (error.code != Code::kIo || was_waited_for || ++failures_ > kMostFailures) return false;
    pause(4 * failures_ - 3);  // a millisecond, 16, a quarter of a second
    begin();
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr uint32_t kMostConflicts = 40, kMostFailures = 3, kMostDoublings = 6;

  void pause(uint32_t doublings) {
    std::uniform_int_distribution<int64_t> microseconds(0, int64_t{500} << doublings);
    if (!random_) random_.emplace(std::random_device{}());  // takes long, and most calls need none
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds(*random_)));
  }

  const std::chrono::milliseconds limit_;
  Clock::time_point begin_ = Clock::now();
  uint32_t conflicts_ = 0, failures_ = 0;
  std::optional<std::minstd_rand> random_;
};

}  // namespace neardup::remote
