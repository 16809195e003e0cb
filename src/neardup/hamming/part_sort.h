// Sorting one part of the keys of a table.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "neardup/base/in_place.h"
#include "neardup/fingerprint/wide.h"

namespace neardup::hamming {

/// Sorts keys that share leading places, with their payloads (an empty P has none), and drops pairs that are there
/// twice. Keeps its memory from part to part. Threads: one each.
template <fingerprint::AnyFingerprint F, class P>
class PartSort {
 public:
  /// The first `places` places of all keys are equal. Returns how many distinct pairs are left, in front.
  size_t run(F* keys, P* payloads, size_t size, int places) {
    if (size <= kFewKeys || size > kMaxCopied) {
      sort_in_place(keys, payloads, size);
    } else {
      sort_copied(keys, payloads, size, places);
    }
    return drop_equal(keys, payloads, size);
  }

 private:
  static constexpr int kBits = fingerprint::kBitsOf<F>;
  static constexpr bool kPayloads = !std::is_empty_v<P>;
  static constexpr size_t kFewKeys = 24;
  static constexpr size_t kMaxCopied = size_t{1} << 18;  // a part of more is grouped without a copy
  static constexpr int kMaxDigit = 14;

  static P payload_at(const P* payloads, size_t i) {
    if constexpr (kPayloads) return payloads[i];
    return P();
  }

  // One counting sort by the next places through a copy, as many as leave a few keys a bucket.
  void sort_copied(F* keys, P* payloads, size_t size, int places) {
    const int digit_bits = std::min({kMaxDigit, kBits - places, static_cast<int>(std::bit_width(size)) - 3});
    const int shift = kBits - places - digit_bits;
    const auto digit_of = [&](F key) { return static_cast<size_t>(key >> shift) & ((size_t{1} << digit_bits) - 1); };
    begins_.assign((size_t{1} << digit_bits) + 1, 0);
    for (size_t i = 0; i < size; ++i) ++begins_[digit_of(keys[i]) + 1];
    for (size_t digit = 1; digit < begins_.size(); ++digit) begins_[digit] += begins_[digit - 1];
    keys_.assign(keys, keys + size);
    if constexpr (kPayloads) payloads_.assign(payloads, payloads + size);
    for (size_t i = 0; i < size; ++i) {
      const uint32_t at = begins_[digit_of(keys_[i])]++;
      keys[at] = keys_[i];
      if constexpr (kPayloads) payloads[at] = payloads_[i];
    }
    size_t begin = 0;  // what was the begin of a digit is its end now
    for (size_t digit = 0; digit + 1 < begins_.size(); ++digit) {
      const size_t end = begins_[digit];
      if (end - begin > 1) sort_in_place(keys + begin, kPayloads ? payloads + begin : payloads, end - begin);
      begin = end;
    }
  }

  static size_t drop_equal(F* keys, P* payloads, size_t size) {
    size_t kept = size > 0;
    for (size_t i = 1; i < size; ++i) {
      if (keys[i] == keys[kept - 1] && payload_at(payloads, i) == payload_at(payloads, kept - 1)) continue;
      keys[kept] = keys[i];
      if constexpr (kPayloads) payloads[kept] = payloads[i];
      ++kept;
    }
    return kept;
  }

  std::vector<uint32_t> begins_;
  std::vector<F> keys_;
  std::vector<P> payloads_;
};

}  // namespace neardup::hamming
