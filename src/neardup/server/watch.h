// Connections and how long each may take: who is too slow is cut off, and who is gone at once.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace neardup::server {

/// Ends connections whose time is up, by shutting down their sockets: whoever reads them finds their end. Threads: any.
class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  /// A connection.
  class Entry {
   public:
    explicit Entry(int socket) : socket_(socket) {}
    /// Its time is up at `end`; kNever: it has as much as it takes.
    void set_end(Clock::time_point end) {
      end_.store(end, std::memory_order_relaxed);
      steps_.fetch_add(1, std::memory_order_relaxed);
    }
    /// Whether it waits for bytes of its client, as at first: where that one closed its side, none will come.
    void set_reads(bool reads) { reads_.store(reads, std::memory_order_relaxed); }

   private:
    friend class Watch;
    const int socket_;
    std::atomic<Clock::time_point> end_ = kNever;
    std::atomic<bool> reads_ = true;
    std::atomic<uint32_t> steps_ = 0;
    // Of the watch alone.
    bool is_left_ = false;                  // the client closed its side
    std::optional<uint32_t> steps_before_;  // when it was seen to wait in vain
  };
  static constexpr Clock::time_point kNever = Clock::time_point::max();

  Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  /// Errors: throws std::bad_alloc; then it is not watched.
  void add(Entry& entry);
  /// Its socket is not touched any more when this returns.
  void remove(Entry& entry);

 private:
  void run();
  void note_left();
  void end_late(Clock::time_point now);
  [[nodiscard]] static bool waits_in_vain(Entry& entry);

  const int left_;  // an epoll of all sockets, which tells who closed its side; -1: nobody does
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::set<Entry*> entries_;
  std::thread thread_;
};

}  // namespace neardup::server
