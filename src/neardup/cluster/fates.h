// The fates of ranks while stars are made: who needs that of a better rank waits for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "neardup/cluster/crew.h"

namespace neardup::cluster {

enum class Fate : uint8_t { kKept, kRemoved, kUndecided };

/// Whether a rank is kept depends on better ranks only. Where ranks are handed out in ascending order, the lowest one
/// at work never waits, so there is no deadlock. Threads: all members from many at once, but each rank is decided by
/// one.
class Fates {
 public:
  /// All are kept. The crew must outlive it.
  Fates(uint32_t num_ranks, const Crew& crew) : fates_(std::make_unique<std::atomic<Fate>[]>(num_ranks)), crew_(crew) {}

  /// What is known of `rank` now.
  [[nodiscard]] Fate of(uint32_t rank) const { return fates_[rank].load(std::memory_order_relaxed); }
  /// Before ranks are handed out.
  void open(uint32_t rank) { fates_[rank].store(Fate::kUndecided, std::memory_order_relaxed); }
  void decide(uint32_t rank, Fate fate) { fates_[rank].store(fate, std::memory_order_release); }
  /// Returns the fate of `rank` once it is decided; kUndecided if the crew stops before.
  [[nodiscard]] Fate wait_for(uint32_t rank) const {
    constexpr int kSpins = 128;
    for (int tries = 0;; ++tries) {
      const Fate fate = fates_[rank].load(std::memory_order_acquire);
      if (fate != Fate::kUndecided || crew_.stopped()) return fate;
      if (tries > kSpins) std::this_thread::yield();
    }
  }

 private:
  std::unique_ptr<std::atomic<Fate>[]> fates_;
  const Crew& crew_;
};

}  // namespace neardup::cluster
