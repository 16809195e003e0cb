// Threads that work on one chunk together: they stop together, and one of them tells the progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "neardup/base/context.h"
#include "neardup/base/guard.h"
#include "neardup/base/threads.h"

namespace neardup::cluster {

/// One stage of work in rounds. Threads: run() from one at a time; the other members from inside its body.
class Crew {
 public:
  Crew(int num_threads, const Context& context, std::string_view stage, std::string_view item_name,
       uint64_t total_items);
  Crew(const Crew&) = delete;
  ~Crew();

  /// Calls `body(worker)` once for each worker, each on a thread of its own if it can be. When one fails, the others
  /// see stopped() and must return soon. Returns the first failure, kCancelled if the caller asked to stop.
  template <class Body>
  [[nodiscard]] Status run(const Body& body) {
    const auto workers = static_cast<size_t>(num_threads_);
    const Status status = parallel_for(num_threads_, workers, [&](size_t worker, int) -> Status {
      // Also where memory is refused: nobody may wait for who is gone.
      Status result = guarded([&] { return body(worker); });
      if (!result) stop_.store(true, std::memory_order_relaxed);
      return result;
    });
    if (status) report();
    NEARDUP_TRY(context_.check_cancel());
    return status;
  }

  /// True once another worker failed or the caller asked to stop: return at once, with success.
  [[nodiscard]] bool stopped() const { return stop_.load(std::memory_order_relaxed) || context_.cancelled(); }

  /// Counts items as done. Worker 0 tells the progress now and then.
  void add_done(uint64_t items, size_t worker) {
    const uint64_t done = done_.fetch_add(items, std::memory_order_relaxed) + items;
    if (worker == 0 && done - reported_ >= kItemsBetweenReports) report();
  }

 private:
  static constexpr uint64_t kItemsBetweenReports = 4096;
  void report();

  int num_threads_;
  const Context& context_;
  std::atomic<bool> stop_{false};
  std::atomic<uint64_t> done_{0};
  uint64_t reported_ = 0;  // of worker 0, and of run() when no worker is left
};

}  // namespace neardup::cluster
