// The words that a diff compares.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/diff/diff.h"

namespace neardup::diff {

/// The bytes [begin, end) of a text: a word without the white space around it.
struct Word {
  uint32_t begin = 0, end = 0;
};

/// Returns the words of `text` in order, as diff_words defines them; every byte but white space is in exactly one.
/// Requires: text.size() < 2^31.
[[nodiscard]] std::vector<Word> split_words(std::string_view text);

/// Gives each different word a number, in order of first appearance: equal numbers = equal bytes, once folded.
struct NumberedWords {
  std::vector<uint32_t> a, b;
  uint32_t num_different = 0;
};
[[nodiscard]] NumberedWords number_words(std::string_view text_a, const std::vector<Word>& words_a,
                                         std::string_view text_b, const std::vector<Word>& words_b,
                                         const FoldWord& fold_word = {});

}  // namespace neardup::diff
