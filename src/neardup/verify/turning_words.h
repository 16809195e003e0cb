// Which tokens turn the meaning of a text where one stands in the place of another: quantities, trends, directions,
// opposites.
#pragma once

#include <cstdint>

namespace neardup::verify {

/// Returns what the token with this token::marked_hash() (recipes with hash_seed 0) says among words of its kind: the
/// kind in the upper bytes, what it says in the lowest one; 0 for other tokens. "raises" and "steigt" say the same,
/// "lowers" is of their kind and says another thing. Cost: one or two looks at 2 KB. Threads: any number.
[[nodiscard]] uint32_t turning_word(uint32_t marked);

/// Returns whether two turning_word()s contradict each other.
[[nodiscard]] constexpr bool are_opposed(uint32_t a, uint32_t b) { return a != b && a >> 8 == b >> 8; }

}  // namespace neardup::verify
