#include "neardup/server/store_watch.h"

#include <chrono>

namespace neardup::server {

StoreWatch::StoreWatch(const Backend& backend, Log& log) : backend_(backend), log_(log), thread_([this] { run(); }) {}

StoreWatch::~StoreWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

std::optional<std::string> StoreWatch::why_gone() const {
  const std::lock_guard lock(mutex_);
  return why_gone_;
}

void StoreWatch::run() {
  constexpr std::chrono::seconds kPause{1};
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kPause, [this] { return stopped_; })) {
    lock.unlock();
    note(backend_.reach());
    lock.lock();
  }
}

void StoreWatch::note(const Status& reached) {
  bool was_gone = false;
  {
    const std::lock_guard lock(mutex_);
    was_gone = why_gone_.has_value();
    why_gone_ = reached ? std::nullopt : std::optional(reached.error().message);
  }
  if (was_gone == !reached) return;
  if (reached) return log_.info("store_back");
  log_.line("error", "store_gone", std::vector<LogField>{{"error", std::string_view(reached.error().message)}});
}

}  // namespace neardup::server
