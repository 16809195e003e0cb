// Characters of Han and Hangul that texts are written in, of those that there are.
#pragma once

#include <cstddef>
#include <string>

namespace neardup::text {

/// Returns how many of `han`, characters of Han, are in use where texts have the most of them: in the first level of
/// the sets of China, Japan or Taiwan. Nine of ten others are not. 0 where ICU lacks the sets. Throws std::bad_alloc
/// where memory is refused. Threads: any.
[[nodiscard]] size_t count_han_in_use(const std::u16string& han);

/// The same of syllables of Hangul, and the set of Korea.
[[nodiscard]] size_t count_hangul_in_use(const std::u16string& hangul);

}  // namespace neardup::text
