// Hashes of token n-grams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace neardup::feature {

/// Returns the hash of one n-gram: mix64(t_0 * P^(n-1) + ... + t_(n-1) + mix64(seed + n * G)) modulo 2^64 with the
/// constants of ngrams.cc, so that order, length and seed all matter. Requires: tokens is not empty.
[[nodiscard]] uint64_t ngram_hash(std::span<const uint64_t> tokens, uint64_t seed);

/// Returns how many n-grams `num_tokens` tokens have: num_tokens - n + 1, but 1 where there are fewer tokens than n
/// (then the whole sequence is the one n-gram), and 0 for none.
[[nodiscard]] constexpr size_t num_ngrams(size_t num_tokens, int n) {
  const auto length = static_cast<size_t>(n);
  if (num_tokens >= length) return num_tokens - length + 1;
  return num_tokens == 0 ? 0 : 1;
}

/// Writes ngram_hash() of each n-gram of `tokens`, in order of the text, to out[0 .. num_ngrams(tokens.size(), n)).
/// Cost: n + 1 multiplications each for n <= 4, in vectors where the machine has them, else four.
/// Requires: 1 <= n <= kMaxNgram; `out` is not the memory of `tokens`.
void ngram_hashes(std::span<const uint64_t> tokens, int n, uint64_t seed, uint64_t* out);

}  // namespace neardup::feature
