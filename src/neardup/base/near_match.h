// The word that was meant: a known word near a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

/// Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (the
/// restricted Damerau-Levenshtein distance). Cost: |a| * |b|.
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

/// Returns the word that `typed` most likely means: one that it begins, if only one, else the nearest within a third of
/// its length; the first of equals. Empty if nothing is near.
[[nodiscard]] std::string near_match(std::string_view typed, std::span<const std::string> words);

/// Returns "expected a, b or c, found "x"", and the near match where there is one.
[[nodiscard]] std::string expected_one_of(const std::vector<std::string>& words, const std::string& found);

}  // namespace neardup
