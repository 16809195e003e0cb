// UnacknowledgedDocuments: documents that this process may have stored without telling the caller, because the
// connection was lost or a later step failed. A caller that sends one of them again gets the answer that was lost.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_set>

namespace neardup::remote {

/// Threads: any member from any number.
class UnacknowledgedDocuments {
 public:
  void add(std::span<const uint64_t> numbers) {
    const std::lock_guard lock(mutex_);
    if (numbers_.size() + numbers.size() > kMost) numbers_.clear();
    numbers_.insert(numbers.begin(), numbers.end());
  }
  /// Removes `number`. Returns whether it was there.
  [[nodiscard]] bool take(uint64_t number) {
    const std::lock_guard lock(mutex_);
    return numbers_.erase(number) > 0;
  }

 private:
  static constexpr size_t kMost = 1 << 20;  // beyond it all count as acknowledged
  std::mutex mutex_;
  std::unordered_set<uint64_t> numbers_;
};

}  // namespace neardup::remote
