// Which tokens turn the meaning of a text where one stands in the place of another: quantities, trends, directions,
// opposites.
#pragma once

#include <array>
#include <cstdint>

namespace neardup::verify {

/// Tells most tokens from turning words by one bit of 4 KB: one in seventy others passes.
class TurningFilter {
 public:
  void add(uint32_t marked) { words_[marked >> 23] |= bit_of(marked); }
  [[nodiscard]] bool may_be_turning(uint32_t marked) const { return (words_[marked >> 23] & bit_of(marked)) != 0; }

 private:
  static uint64_t bit_of(uint32_t marked) { return uint64_t{1} << (marked >> 17 & 63); }
  std::array<uint64_t, 512> words_{};
};
/// Returns the one that lets all turning words pass.
[[nodiscard]] const TurningFilter& turning_filter();

/// Returns what the token with this token::marked_hash() (recipes with hash_seed 0) says among words of its kind: the
/// kind in the upper bytes, what it says in the lowest one; 0 for other tokens. "raises" and "steigt" say the same,
/// "lowers" is of their kind and says another thing. Cost: one or two looks at 2 KB. Threads: any number.
[[nodiscard]] uint32_t turning_word(uint32_t marked);

/// Returns whether two turning_word()s contradict each other.
[[nodiscard]] constexpr bool are_opposed(uint32_t a, uint32_t b) { return a != b && a >> 8 == b >> 8; }

}  // namespace neardup::verify
