// Pauses are paid in advance of the next write, for what was written before: how much a call will bring is not known
// before it is decided. The rate follows the checkpoint at work: the longer it takes the less is let through, so that
// one that takes many times as long as those before finds writers slowed down and not stopped.
#include "neardup/store/write_pace.h"

#include <algorithm>
#include <utility>

namespace neardup::store {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr uint64_t kLeastLogBytes = uint64_t{1} << 20;  // of smaller logs: a checkpoint has its fixed costs
constexpr uint64_t kLogsBeforePauses = 2;               // the one that is taken over, and the one that grows meanwhile
constexpr double kMostOfDrain = 2;                      // of what checkpoints take over, where pauses begin
constexpr Seconds kLongestPause{.1};                    // there; it grows as what is free shrinks
constexpr Seconds kLeastTime{.001};                     // of a checkpoint
constexpr std::chrono::milliseconds kLookForStop{20};   // for the caller's wish to stop, which wakes nobody

WritePace::Clock::duration to_clock(Seconds seconds) {
  return std::chrono::duration_cast<WritePace::Clock::duration>(std::min(seconds, Seconds(3600)));
}

}  // namespace

WritePace::WritePace(uint64_t log_bytes, std::function<uint64_t()> waiting_bytes, std::function<void()> demand,
                     Context context)
    : begin_bytes_(kLogsBeforePauses * std::max(log_bytes, kLeastLogBytes)),
      waiting_bytes_(std::move(waiting_bytes)),
      demand_(std::move(demand)),
      context_(context) {}

// 0 and less: not at all; 1 and more: nothing may be written.
double WritePace::behind() const {
  return (static_cast<double>(waiting_bytes_()) - static_cast<double>(begin_bytes_)) /
         static_cast<double>(most_bytes() - begin_bytes_);
}

void WritePace::wait_turn() {
  const auto begun = Clock::now();
  while (true) {
    const double now_behind = behind();
    if (now_behind <= 0 || context_.cancelled() || !pause(begun, now_behind)) return;
  }
}

// Waits a little; returns false, and does not, where it is the caller's turn.
bool WritePace::pause(Clock::time_point begun, double behind) {
  std::unique_lock lock(mutex_);
  if (!is_failing_ && bytes_ == 0) {
    lock.unlock();
    demand_();
    lock.lock();
  }
  const auto now = Clock::now(), until = turn(begun, behind);
  if (now >= until) return false;
  ended_.wait_until(lock, std::min(until, now + kLookForStop));
  return true;
}

// Requires mutex_.
WritePace::Clock::time_point WritePace::turn(Clock::time_point begun, double behind) const {
  if (is_failing_) return std::min(begun + kPauseWhileFailing, behind < 1 ? free_at_ : Clock::time_point::max());
  if (behind >= 1) return Clock::time_point::max();
  return std::min(begun + to_clock(kLongestPause / (1 - behind)), free_at_);
}

void WritePace::wrote(uint64_t bytes) {
  const double now_behind = behind();
  if (now_behind <= 0) return;
  const double share = kMostOfDrain * std::max(1 - now_behind, .01);
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  free_at_ = std::max(free_at_, now) + to_clock(Seconds(static_cast<double>(bytes) / (share * drain(now))));
}

// Of a log that makes a checkpoint due.
uint64_t WritePace::full_log() const { return begin_bytes_ / kLogsBeforePauses; }

// Bytes a second. Requires mutex_. The checkpoint at work may be a slower one than the one before; what one of a short
// log takes (a compaction, say) tells little of those to come.
double WritePace::drain(Clock::time_point now) const {
  if (bytes_ == 0) return last_drain_;
  const Seconds taken = std::max<Seconds>(now - begun_, kLeastTime);
  return std::min(last_drain_, static_cast<double>(std::max(bytes_, full_log())) / taken.count());
}

void WritePace::begin_checkpoint(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  begun_ = Clock::now();
  bytes_ = std::max<uint64_t>(bytes, 1);
}

void WritePace::end_checkpoint(bool is_made) {
  const std::lock_guard lock(mutex_);
  const Seconds taken = std::max<Seconds>(Clock::now() - begun_, kLeastTime);
  if (is_made && bytes_ >= full_log() / 2) last_drain_ = static_cast<double>(bytes_) / taken.count();
  bytes_ = 0;
  free_at_ = {};
  is_failing_ = !is_made;
  ended_.notify_all();
}

}  // namespace neardup::store
