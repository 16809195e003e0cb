#include "neardup/base/memory_budget.h"

#include <algorithm>
#include <utility>

namespace neardup {

MemoryBudget::Permit& MemoryBudget::Permit::operator=(Permit&& other) noexcept {
  if (this == &other) return *this;
  release();
  budget_ = std::exchange(other.budget_, nullptr);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

void MemoryBudget::Permit::release() {
  if (budget_ == nullptr) return;
  {
    const std::lock_guard lock(budget_->mutex_);
    budget_->used_bytes_ -= bytes_;
  }
  budget_->changed_.notify_all();
  budget_ = nullptr;
}

MemoryBudget::Permit MemoryBudget::acquire(uint64_t bytes) {
  Permit permit;
  permit.bytes_ = std::min(bytes, capacity_bytes_);
  std::unique_lock lock(mutex_);
  const uint64_t ticket = next_ticket_++;
  changed_.wait(lock, [&] { return ticket == served_ && used_bytes_ + permit.bytes_ <= capacity_bytes_; });
  ++served_;
  used_bytes_ += permit.bytes_;
  permit.budget_ = this;
  lock.unlock();
  changed_.notify_all();
  return permit;
}

}  // namespace neardup
