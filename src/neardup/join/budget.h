// Memory that hot buckets may take, and the meter that shows how far a join is.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "neardup/base/context.h"

namespace neardup::join {

/// Bytes shared by all threads. Who gets none takes the way that needs none.
class HotMemory {
 public:
  explicit HotMemory(int64_t bytes) : available_(bytes) {}
  [[nodiscard]] bool take(int64_t bytes) {
    if (available_.fetch_sub(bytes) >= bytes) return true;
    give(bytes);
    return false;
  }
  void give(int64_t bytes) { available_ += bytes; }

 private:
  std::atomic<int64_t> available_;
};

/// A part of a budget, given back at the end of the scope.
class MemoryShare {
 public:
  MemoryShare(HotMemory& budget, int64_t bytes) : budget_(budget), bytes_(bytes), taken_(budget.take(bytes)) {}
  ~MemoryShare() {
    if (taken_) budget_.give(bytes_);
  }
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;
  [[nodiscard]] bool taken() const { return taken_; }

 private:
  HotMemory& budget_;
  int64_t bytes_;
  bool taken_;
};

/// The stage "join", counted in fingerprints. Threads: any.
class Meter {
 public:
  Meter(Progress* progress, uint64_t total_items);
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  /// From now on a whole task is 1 / `count` of the join.
  void set_tasks(uint64_t count) { task_ = 1.0 / static_cast<double>(count); }
  /// So much (0..1) of a task has been done.
  void add(double fraction);

 private:
  Progress* progress_;
  double total_items_;
  double task_ = 1;
  std::mutex mutex_;
  double done_ = 0;   // 0..1
  double shown_ = 0;  // what the last report said
};

}  // namespace neardup::join
