// NumberLists: a list of document numbers for each of many questions, in one piece of memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup::remote {

/// Threads: as a vector.
class NumberLists {
 public:
  /// Appends to the list that is made; end_list() ends it.
  void add(uint64_t number) { numbers_.push_back(number); }
  void end_list() { ends_.push_back(numbers_.size()); }

  [[nodiscard]] size_t size() const { return ends_.size(); }
  /// Valid until the next add().
  [[nodiscard]] std::span<const uint64_t> operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(numbers_).subspan(begin, ends_[i] - begin);
  }

 private:
  std::vector<uint64_t> numbers_;
  std::vector<size_t> ends_;
};

/// Makes numbers ascend, each once.
inline void sort_distinct(std::vector<uint64_t>& numbers) {
  if (numbers.size() < 2) return;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace neardup::remote
