// A set of document numbers, most of which are not in it.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup::store {

/// Memory: a bit for each number up to the greatest that was added. Threads: as a vector.
class NumberSet {
 public:
  NumberSet() = default;
  explicit NumberSet(std::span<const uint64_t> numbers) {
    for (const uint64_t number : numbers) add(number);
  }

  [[nodiscard]] bool contains(uint64_t number) const {
    return number / 64 < words_.size() && (words_[number / 64] >> number % 64 & 1) != 0;
  }
  void add(uint64_t number) {
    if (contains(number)) return;
    if (number / 64 >= words_.size()) words_.resize(number / 64 + 1);
    words_[number / 64] |= uint64_t{1} << number % 64;
    ++size_;
  }
  void remove(uint64_t number) {
    if (!contains(number)) return;
    words_[number / 64] &= ~(uint64_t{1} << number % 64);
    --size_;
  }
  [[nodiscard]] uint64_t size() const { return size_; }
  [[nodiscard]] uint64_t size_bytes() const { return words_.capacity() * sizeof(uint64_t); }
  /// Returns those that are not in `other`, ascending.
  [[nodiscard]] std::vector<uint64_t> without(const NumberSet& other) const {
    std::vector<uint64_t> numbers;
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t rest = words_[i] & ~(i < other.words_.size() ? other.words_[i] : 0); rest != 0; rest &= rest - 1)
        numbers.push_back(i * 64 + static_cast<uint64_t>(std::countr_zero(rest)));
    return numbers;
  }
  /// Returns the numbers, ascending.
  [[nodiscard]] std::vector<uint64_t> sorted() const { return without({}); }

 private:
  std::vector<uint64_t> words_;
  uint64_t size_ = 0;
};

}  // namespace neardup::store
