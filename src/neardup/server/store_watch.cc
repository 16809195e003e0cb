#include "neardup/server/store_watch.h"

#include <fmt/format.h>

namespace neardup::server {

StoreWatch::StoreWatch(const Backend& backend, Log& log)
    : backend_(backend), log_(log), asks_([this] { ask(); }), heeds_limit_([this] { heed_limit(); }) {}

StoreWatch::~StoreWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  asks_.join();
  heeds_limit_.join();
}

std::optional<std::string> StoreWatch::why_gone() const {
  const std::lock_guard lock(mutex_);
  return why_gone_;
}

void StoreWatch::ask() {
  constexpr std::chrono::seconds kPause{1};
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kPause, [this] { return stopped_; })) {
    asked_ = Clock::now();
    lock.unlock();
    const Status reached = backend_.reach();
    lock.lock();
    asked_.reset();
    const bool was_stopped = !reached && reached.error().code == Code::kCancelled;  // which says nothing of the store
    if (!was_stopped) note(reached);
  }
}

// A question waits as long as any call.
void StoreWatch::heed_limit() {
  constexpr std::chrono::milliseconds kPause{100};
  const Status late = fail(Code::kIo, fmt::format("the store has not answered for {} ms", kLimit.count()));
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kPause, [this] { return stopped_; }))
    if (asked_ && !why_gone_ && Clock::now() - *asked_ >= kLimit) note(late);
}

// Logs under the lock, so that what is logged comes in the order of what happened.
void StoreWatch::note(const Status& reached) {
  const bool was_gone = why_gone_.has_value();
  why_gone_ = reached ? std::nullopt : std::optional(reached.error().message);
  if (was_gone == !reached) return;
  if (reached) return log_.info("store_back");
  log_.line("error", "store_gone", std::vector<LogField>{{"error", std::string_view(reached.error().message)}});
}

}  // namespace neardup::server
