#include "neardup/server/watch.h"

#include <sys/socket.h>

namespace neardup::server {

Watch::Watch() : thread_([this] { run(); }) {}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

void Watch::add(Entry& entry) {
  const std::lock_guard lock(mutex_);
  entries_.insert(&entry);
}

void Watch::remove(Entry& entry) {
  const std::lock_guard lock(mutex_);
  entries_.erase(&entry);
}

void Watch::run() {
  constexpr std::chrono::milliseconds kPause{200};
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kPause, [this] { return stopped_; })) end_late(Clock::now());
}

void Watch::end_late(Clock::time_point now) {
  for (Entry* entry : entries_) {
    if (entry->end_.load(std::memory_order_relaxed) > now) continue;
    entry->set_end(kNever);
    shutdown(entry->socket_, SHUT_RDWR);
  }
}

}  // namespace neardup::server
