// A queue with a bound, and threads that work it off.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace neardup::server {

/// Items are begun in the order in which they came. A thread takes its share of what waits, `most_taken` at most, so
/// that items which come at once are worked on together, and those that come alone do not wait for others. An item has
/// a member `Item* next_in_lane` for the lane: once the lane is there nothing in it needs memory.
/// Threads: push() and waiting() from any; stop() from one.
template <class Item>
class Lane {
 public:
  /// Throws nothing: nobody else would answer for what was taken.
  using Work = std::function<void(std::vector<Item*>& taken)>;

  /// Errors: std::system_error where the system starts no thread, std::bad_alloc.
  Lane(size_t num_threads, size_t most_waiting, size_t most_taken, Work work)
      : most_waiting_(most_waiting), most_taken_(most_taken), work_(std::move(work)) {
    try {
      for (size_t i = 0; i < num_threads; ++i) start();
    } catch (...) {
      stop();
      throw;
    }
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() { stop(); }

  /// Returns false where the lane is full or stopped: then nothing comes of the item.
  [[nodiscard]] bool push(Item& item) {
    {
      const std::lock_guard lock(mutex_);
      if (stopped_ || num_items_ >= most_waiting_) return false;
      item.next_in_lane = nullptr;
      (first_ == nullptr ? first_ : last_->next_in_lane) = &item;
      last_ = &item;
      ++num_items_;
    }
    comes_.notify_one();
    return true;
  }

  [[nodiscard]] size_t waiting() const {
    const std::lock_guard lock(mutex_);
    return num_items_;
  }

  /// Takes nothing more; returns when all that was taken is done.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    comes_.notify_all();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

 private:
  void start() {
    std::vector<Item*> taken;
    taken.reserve(most_taken_);
    threads_.emplace_back([this, taken = std::move(taken)]() mutable { run(taken); });
  }

  void run(std::vector<Item*>& taken) {
    while (take(taken)) {
      work_(taken);
      taken.clear();
    }
  }

  bool take(std::vector<Item*>& taken) {
    std::unique_lock lock(mutex_);
    ++num_idle_;
    comes_.wait(lock, [&] { return stopped_ || first_ != nullptr; });
    const size_t share = (num_items_ + num_idle_ - 1) / num_idle_;
    --num_idle_;
    for (size_t i = std::min(share, most_taken_); i > 0; --i) {
      taken.push_back(first_);
      first_ = first_->next_in_lane;
      --num_items_;
    }
    return !taken.empty();
  }

  const size_t most_waiting_, most_taken_;
  const Work work_;
  mutable std::mutex mutex_;
  std::condition_variable comes_;
  Item *first_ = nullptr, *last_ = nullptr;
  size_t num_items_ = 0;
  size_t num_idle_ = 0;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace neardup::server
