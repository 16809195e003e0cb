// Fingerprints of either width as the words of 64 bits that records hold: of 128 bits two, the lower one first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint/wide.h"

namespace neardup::store {

template <fingerprint::AnyFingerprint F>
inline constexpr size_t kWordsOf = sizeof(F) / sizeof(uint64_t);

/// Returns the fingerprint of that place. Requires: its words are there.
template <fingerprint::AnyFingerprint F>
[[nodiscard]] constexpr F value_at(std::span<const uint64_t> words, size_t place) {
  if constexpr (kWordsOf<F> == 1) {
    return words[place];
  } else {
    return F{words[2 * place + 1]} << 64 | words[2 * place];
  }
}

/// Appends all of them.
template <fingerprint::AnyFingerprint F>
void append_values(std::span<const uint64_t> words, std::vector<F>& values) {
  for (size_t place = 0; place < words.size() / kWordsOf<F>; ++place) values.push_back(value_at<F>(words, place));
}

}  // namespace neardup::store
