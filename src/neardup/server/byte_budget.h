// Bytes of bodies and answers that are held at one time, bounded over all requests.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace neardup::server {

/// Threads: any.
class ByteBudget {
 public:
  explicit ByteBudget(uint64_t limit) : limit_(limit) {}
  [[nodiscard]] uint64_t held() const { return held_.load(std::memory_order_relaxed); }
  [[nodiscard]] uint64_t limit() const { return limit_; }

  [[nodiscard]] bool has_room(uint64_t bytes) const { return bytes <= limit_ - std::min(held(), limit_); }

  /// What one request holds; given back at its end.
  class Share {
   public:
    explicit Share(ByteBudget& budget) : budget_(budget) {}
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() { budget_.held_ -= bytes_; }
    /// Makes it `bytes` where it is less, be there room or not: for answers that must be given.
    void count(uint64_t bytes) {
      if (bytes <= bytes_) return;
      budget_.held_ += bytes - bytes_;
      bytes_ = bytes;
    }
    /// Makes it `bytes` where it is less. Returns false, and changes nothing, where that is more than is left.
    [[nodiscard]] bool grow_to(uint64_t bytes) {
      if (bytes <= bytes_) return true;
      const uint64_t more = bytes - bytes_;
      if (budget_.held_.fetch_add(more) + more > budget_.limit_) {
        budget_.held_ -= more;
        return false;
      }
      bytes_ = bytes;
      return true;
    }

   private:
    ByteBudget& budget_;
    uint64_t bytes_ = 0;
  };

 private:
  const uint64_t limit_;
  std::atomic<uint64_t> held_ = 0;
};

}  // namespace neardup::server
