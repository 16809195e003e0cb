#include "neardup/store/log_syncer.h"

#include "neardup/base/guard.h"

namespace neardup::store {

LogSyncer::LogSyncer(StoreWriter& writer, std::chrono::milliseconds every) : writer_(writer), every_(every) {
  thread_ = std::thread([this] { run(); });
}

LogSyncer::~LogSyncer() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  ends_.notify_all();
  thread_.join();
}

// By a clock that nobody sets.
void LogSyncer::run() {
  std::unique_lock lock(mutex_);
  for (bool ends = false; !ends;) {
    ends = ends_.wait_for(lock, every_, [this] { return is_ending_; });
    lock.unlock();
    static_cast<void>(guarded([&] { return writer_.sync(); }));  // the writer keeps it for who comes next
    lock.lock();
  }
}

}  // namespace neardup::store
