// Which n-grams of source code so many texts have that they tell nothing of two of them: the frame of an exercise, the
// habits of a language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup::verify {

/// An n-gram is common where more than half of the texts have it, and more than kLeastCommonTexts.
inline constexpr size_t kCommonShare = 2, kLeastCommonTexts = 16;

/// Learns from a sample of texts. Memory: 12 bytes a token.
class CommonCode {
 public:
  /// Of longer texts the beginning speaks for all.
  static constexpr size_t kMostTokens = 4096;

  /// Adds a text, by token::marked_code_hash() of its tokens.
  void add(std::span<const uint32_t> tokens);

  /// Returns the hashes of the common n-grams, ascending, each once. They do not depend on the order of texts.
  [[nodiscard]] std::vector<uint32_t> take();

 private:
  std::vector<uint32_t> hashes_;  // of the set of each text
  size_t num_texts_ = 0;
};

/// Returns `hashes` without those in `common`; all of them where less than a tenth is left, for then the texts are
/// alike as a whole. Requires: both ascending, each once.
[[nodiscard]] std::vector<uint32_t> without_common(std::vector<uint32_t> hashes, std::span<const uint32_t> common);

}  // namespace neardup::verify
