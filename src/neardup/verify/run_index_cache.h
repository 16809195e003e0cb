// The run indexes of the long texts that were asked for last, within a byte budget.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "neardup/verify/run_index.h"

namespace neardup::verify {

using SharedRunIndex = std::shared_ptr<const RunIndex>;

/// The least recently used one goes. Threads: all members from many at once. Indexes are made by the caller, outside
/// the lock: two threads that miss the same text at once may both make it, and the first one stays.
class RunIndexCache {
 public:
  explicit RunIndexCache(uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// Whether the index of a text of so many tokens may stay here: it takes a quarter of the budget at most.
  [[nodiscard]] bool has_room_for(uint64_t num_tokens) const {
    return RunIndex::size_bytes_of(num_tokens) <= budget_bytes_ / 4;
  }
  /// Returns that of `text`; null where it is not here.
  [[nodiscard]] SharedRunIndex find(uint64_t text);
  /// Returns what stays as that of `text`. Requires: has_room_for() it.
  SharedRunIndex add(uint64_t text, SharedRunIndex index);
  [[nodiscard]] uint64_t size_bytes() const;

 private:
  using Entry = std::pair<uint64_t, SharedRunIndex>;

  const uint64_t budget_bytes_;
  mutable std::mutex mutex_;  // of all below
  std::list<Entry> entries_;  // the last used one first
  std::unordered_map<uint64_t, std::list<Entry>::iterator> places_;
  uint64_t size_bytes_ = 0;
};

}  // namespace neardup::verify
