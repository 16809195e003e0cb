// Blocks of ascending keys as differences: Rice codes, with a way out for differences that are far from the others.
//
// A block is a byte r, a byte e, and then for each key but the first, from the low bits of each byte on, its gap (the
// difference to the key before it, less 1): where q = gap >> r is below 12, q zeros, a one and the r low bits of the
// gap; else 12 zeros and the gap in e bits. Each block has its own r and e, so that dense and sparse parts of a table
// are both near their least size. Golomb codes of evenly spread keys are within 0.03 bits of the information bound.
// See: Golomb 1966; Manku, Jain, Das Sarma 2007, section 3.2 (blocks of differences and their directory).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/key_scan.h"

namespace neardup::hamming {

/// The two widths of a block, and its length.
struct DeltaWidths {
  static constexpr int kZeros = 12;
  uint8_t low = 0;         // r
  uint8_t whole = 0;       // e
  uint16_t num_bytes = 0;  // of the block
};

/// Returns the widths that make a block of `keys` small. Requires: keys ascend, no two are equal; 1 to 256 of them.
template <fingerprint::AnyFingerprint F>
[[nodiscard]] DeltaWidths delta_widths(std::span<const F> keys);

/// Writes the block of `keys` to widths.num_bytes zeros. Requires: `widths` are theirs.
template <fingerprint::AnyFingerprint F>
void write_delta_block(std::span<const F> keys, const DeltaWidths& widths, uint8_t* out);

/// Reads a block key by key. A damaged block gives wrong keys, but nothing is read beyond kPadding bytes behind its
/// end.
template <fingerprint::AnyFingerprint F>
class DeltaReader {
 public:
  /// So many readable bytes must follow the last block.
  static constexpr uint64_t kPadding = 64;

  /// The block is bytes[begin .. end), its first key `first`. Requires: begin <= end.
  DeltaReader(const uint8_t* bytes, uint64_t begin, uint64_t end, F first)
      : bytes_(bytes),
        bit_(8 * (begin + 2)),
        end_(8 * end),
        key_(first),
        low_(std::min<int>(bytes[begin], kBits - 1)),
        whole_(std::min<int>(bytes[begin + 1], kBits)) {}

  [[nodiscard]] F key() const { return key_; }
  /// Goes to the next key; returns false where the bytes end first, which happens in damaged blocks only.
  bool next() {
    if (bit_ >= end_) return false;
    const uint64_t word = peek(bit_);
    const int zeros = std::countr_zero(word | uint64_t{1} << DeltaWidths::kZeros);
    if (zeros < DeltaWidths::kZeros) [[likely]] {
      bit_ += zeros + 1;
      key_ += static_cast<F>(static_cast<F>(zeros) << low_ | bits(low_)) + 1;
      bit_ += low_;
    } else {
      bit_ += zeros;
      key_ += bits(whole_) + 1;
      bit_ += whole_;
    }
    return true;
  }

 private:
  static constexpr int kBits = fingerprint::kBitsOf<F>;

  [[nodiscard]] uint64_t peek(uint64_t bit) const {
    const uint8_t* from = bytes_ + bit / 8;
    uint64_t word;
    std::memcpy(&word, from, sizeof(word));
    const int shift = static_cast<int>(bit % 8);
    return word >> shift | uint64_t{from[8]} << 1 << (63 - shift);
  }
  [[nodiscard]] F bits(int count) const {
    F value = peek(bit_);
    if constexpr (kBits > 64) value |= static_cast<F>(peek(bit_ + 64)) << 64;
    return value & low_ones<F>(count);
  }

  const uint8_t* bytes_;
  uint64_t bit_;
  uint64_t end_;
  F key_;
  int low_;
  int whole_;
};

}  // namespace neardup::hamming
