// Lists of words that are looked up: written in any order, sorted while they are compiled.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace neardup {

template <size_t kSize>
class SortedWords {
 public:
  explicit constexpr SortedWords(std::array<std::string_view, kSize> words) : words_(words) {
    std::ranges::sort(words_, comes_before);
  }
  [[nodiscard]] constexpr bool contains(std::string_view word) const {
    return std::ranges::binary_search(words_, word, comes_before);
  }

 private:
  static constexpr bool comes_before(std::string_view a, std::string_view b) { return a < b; }

  std::array<std::string_view, kSize> words_;
};

}  // namespace neardup
