#include "neardup/server/watch.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace neardup::server {

Watch::Watch() : left_(epoll_create1(EPOLL_CLOEXEC)), thread_([this] { run(); }) {}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  thread_.join();
  if (left_ >= 0) close(left_);
}

void Watch::add(Entry& entry) {
  const std::lock_guard lock(mutex_);
  entries_.insert(&entry);
  if (left_ < 0) return;
  epoll_event event{.events = EPOLLRDHUP | EPOLLONESHOT, .data = {.ptr = &entry}};
  static_cast<void>(epoll_ctl(left_, EPOLL_CTL_ADD, entry.socket_, &event));
}

void Watch::remove(Entry& entry) {
  const std::lock_guard lock(mutex_);
  entries_.erase(&entry);
  if (left_ >= 0) static_cast<void>(epoll_ctl(left_, EPOLL_CTL_DEL, entry.socket_, nullptr));
}

void Watch::run() {
  constexpr std::chrono::milliseconds kPause{100};
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kPause, [this] { return stopped_; })) {
    note_left();
    end_late(Clock::now());
  }
}

// libmicrohttpd 0.9.75 does not see the end of a connection that came together with bytes: it waits for another event.
void Watch::note_left() {
  std::array<epoll_event, 64> events;
  for (int count = static_cast<int>(events.size()); left_ >= 0 && count == static_cast<int>(events.size());) {
    count = epoll_wait(left_, events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) static_cast<Entry*>(events[static_cast<size_t>(i)].data.ptr)->is_left_ = true;
  }
}

// Twice in turn, without a step between: what is behind the last bytes of a client may still be read and answered.
bool Watch::waits_in_vain(Entry& entry) {
  if (!entry.is_left_ || !entry.reads_.load(std::memory_order_relaxed)) return entry.steps_before_.reset(), false;
  char byte = 0;
  const ssize_t unread = recv(entry.socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (unread > 0 || (unread < 0 && (errno == EAGAIN || errno == EINTR))) return false;
  const uint32_t steps = entry.steps_.load(std::memory_order_relaxed);
  return std::exchange(entry.steps_before_, steps) == steps;
}

void Watch::end_late(Clock::time_point now) {
  for (Entry* entry : entries_) {
    if (entry->end_.load(std::memory_order_relaxed) > now && !waits_in_vain(*entry)) continue;
    entry->set_end(kNever);
    entry->set_reads(false);
    shutdown(entry->socket_, SHUT_RDWR);
  }
}

}  // namespace neardup::server
