// WritePace: slows writers down where checkpoints do not keep up, so that the log that waits for one has a bound.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>

#include "neardup/base/context.h"

namespace neardup::store {

/// Up to begin_bytes() of log that waits nobody is held up. Beyond it each call pauses, the longer the more waits, so
/// that together they write what checkpoints take over, and less; at most_bytes() it waits until a checkpoint is made.
/// All who wait go on at the same time: nobody is overtaken for ever, and no more than what each of them brings comes
/// on top. Where the last checkpoint failed no call waits for longer than kPauseWhileFailing: what is wrong may need a
/// person. Why it is made so: docs/design/store.md. Threads: any member from any.
class WritePace {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration kPauseWhileFailing = std::chrono::milliseconds(100);

  /// `log_bytes`: of a log that makes a checkpoint due. `waiting_bytes` returns how much log waits; `demand` makes a
  /// checkpoint due. Both are called by those who wait, without a lock.
  WritePace(uint64_t log_bytes, std::function<uint64_t()> waiting_bytes, std::function<void()> demand, Context context);

  [[nodiscard]] uint64_t begin_bytes() const { return begin_bytes_; }
  [[nodiscard]] uint64_t most_bytes() const { return 2 * begin_bytes_; }

  /// Returns when the caller may write; at once where nothing is behind, or the caller's wish is to stop. Before it
  /// holds any lock.
  void wait_turn();
  /// So much was written, for which others wait.
  void wrote(uint64_t bytes);

  /// A checkpoint begins that takes over so much log; it ends. Never two at once.
  void begin_checkpoint(uint64_t bytes);
  void end_checkpoint(bool is_made);

 private:
  [[nodiscard]] double behind() const;
  [[nodiscard]] uint64_t full_log() const;
  bool pause(Clock::time_point begun, double behind);
  [[nodiscard]] Clock::time_point turn(Clock::time_point begun, double behind) const;
  [[nodiscard]] double drain(Clock::time_point now) const;

  const uint64_t begin_bytes_;
  const std::function<uint64_t()> waiting_bytes_;
  const std::function<void()> demand_;
  const Context context_;

  mutable std::mutex mutex_;  // of all below
  std::condition_variable ended_;
  Clock::time_point free_at_{};                                  // what was written so far is paid by then
  Clock::time_point begun_{};                                    // the checkpoint at work
  uint64_t bytes_ = 0;                                           // that it takes over; 0 where none is at work
  double last_drain_ = std::numeric_limits<double>::infinity();  // bytes a second of the one before
  bool is_failing_ = false;
};

}  // namespace neardup::store
