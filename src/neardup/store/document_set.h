// A set of document numbers that does not change: who was erased.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace neardup::store {

/// Copies share the numbers. Threads: any.
class DocumentSet {
 public:
  DocumentSet() = default;
  /// Numbers may come in any order and more than once.
  explicit DocumentSet(std::vector<uint64_t> documents);

  [[nodiscard]] bool empty() const { return sorted_ == nullptr; }
  [[nodiscard]] size_t size() const { return empty() ? 0 : sorted_->size(); }
  /// Cost: one cache miss.
  [[nodiscard]] bool contains(uint64_t document) const;
  /// Ascending, each once.
  [[nodiscard]] std::span<const uint64_t> sorted() const {
    return empty() ? std::span<const uint64_t>() : std::span<const uint64_t>(*sorted_);
  }

 private:
  std::shared_ptr<const std::vector<uint64_t>> sorted_;
  std::shared_ptr<const std::vector<uint64_t>> slots_;  // a power of two of them, by open addressing
  uint64_t free_ = 0;                                   // stands in a free slot: a number that is not in the set
};

}  // namespace neardup::store
