// A share of memory that threads take pieces of and give back.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace neardup {

/// Counts bytes, not allocations: who is about to take much memory asks first, and waits until others are done.
/// Whoever holds a permit must not ask for another one, nor wait for somebody who asks. Threads: any.
class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t capacity_bytes) : capacity_bytes_(capacity_bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// Bytes that may be used until they are given back. An empty one holds none. Must not outlive the budget.
  class Permit {
   public:
    Permit() = default;
    Permit(Permit&& other) noexcept { *this = static_cast<Permit&&>(other); }
    Permit& operator=(Permit&& other) noexcept;
    ~Permit() { release(); }
    void release();
    [[nodiscard]] bool holds() const { return budget_ != nullptr; }

   private:
    friend class MemoryBudget;
    MemoryBudget* budget_ = nullptr;
    uint64_t bytes_ = 0;
  };

  /// Waits until `bytes`, or the whole capacity where that is less, are free, and takes them. First come, first served:
  /// one that wants much is not passed by many that want little.
  [[nodiscard]] Permit acquire(uint64_t bytes);
  [[nodiscard]] uint64_t capacity_bytes() const { return capacity_bytes_; }

 private:
  const uint64_t capacity_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t used_bytes_ = 0;
  uint64_t next_ticket_ = 0;
  uint64_t served_ = 0;
};

}  // namespace neardup
