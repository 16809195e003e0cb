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
  /// The server failed: returns whether it is to be tried once more, and waits where it is.
  [[nodiscard]] bool once_more(const Error& error) {
    if (error.code != Code::kIo || ++failures_ > kMostFailures) return false;
    pause(4 * failures_ - 3);  // a millisecond, 16, a quarter of a second
    return true;
  }

 private:
  static constexpr uint32_t kMostConflicts = 40, kMostFailures = 3, kMostDoublings = 6;

  void pause(uint32_t doublings) {
    std::uniform_int_distribution<int64_t> microseconds(0, int64_t{500} << doublings);
    if (!random_) random_.emplace(std::random_device{}());  // takes long, and most calls need none
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds(*random_)));
  }

  uint32_t conflicts_ = 0, failures_ = 0;
  std::optional<std::minstd_rand> random_;
};

}  // namespace neardup::remote
