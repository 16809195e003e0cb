// Two widths of a block are found by trying: the size of a Rice code is flat around its best parameter, which is near
// the width of the middle gap, so six candidates are priced. Gaps that are far from the others take a way out of 12
// zeros, so that one of them cannot make a block long: a block has at most 12 bits and its widest gap a key.
#include "neardup/hamming/delta_block.h"

#include <array>

namespace neardup::hamming {

using fingerprint::AnyFingerprint;
using fingerprint::kBitsOf;

namespace {

template <AnyFingerprint F>
int width_of(F value) {
  if constexpr (kBitsOf<F> == 64) {
    return 64 - std::countl_zero(value);
  } else {
    const auto high = static_cast<uint64_t>(value >> 64);
    return high != 0 ? 64 + width_of(high) : width_of(static_cast<uint64_t>(value));
  }
}

template <AnyFingerprint F>
F gap(std::span<const F> keys, size_t i) {
  return static_cast<F>(keys[i] - keys[i - 1]) - 1;
}

template <AnyFingerprint F>
uint64_t cost(std::span<const F> keys, int low, int whole) {
  uint64_t bits = 0;
  for (size_t i = 1; i < keys.size(); ++i) {
    const F zeros = gap(keys, i) >> low;
    bits += zeros < DeltaWidths::kZeros ? static_cast<uint64_t>(zeros) + 1 + low : DeltaWidths::kZeros + whole;
  }
  return bits;
}

class BitWriter {
 public:
  explicit BitWriter(uint8_t* out) : out_(out) {}
  void skip(int zeros) { bit_ += zeros; }
  template <class F>
  void put(F value, int count) {
    while (count > 0) {
      const int shift = static_cast<int>(bit_ % 8), taken = std::min(8 - shift, count);
      out_[bit_ / 8] =
          static_cast<uint8_t>(out_[bit_ / 8] | (static_cast<unsigned>(value & low_ones<F>(taken)) << shift));
      value >>= taken;
      count -= taken;
      bit_ += taken;
    }
  }

 private:
  uint8_t* out_;
  uint64_t bit_ = 0;  // where the next goes; all bits from here on are 0
};

}  // namespace

// The best r is near the width of the middle gap, whatever the few great ones are.
template <AnyFingerprint F>
DeltaWidths delta_widths(std::span<const F> keys) {
  std::array<uint32_t, kBitsOf<F> + 1> count{};
  int whole = 0;
  for (size_t i = 1; i < keys.size(); ++i) {
    const int width = width_of(gap(keys, i));
    ++count[width];
    whole = std::max(whole, width);
  }
  size_t below = 0;
  int middle = 0;
  while (middle < whole && (below += count[middle]) * 2 < keys.size()) ++middle;
  uint64_t best_bits = UINT64_MAX;
  int best_low = 0;
  for (int low = std::max(middle - 3, 0); low <= std::min(middle + 2, kBitsOf<F> - 1); ++low) {
    if (const uint64_t bits = cost(keys, low, whole); bits < best_bits) best_bits = bits, best_low = low;
  }
  return {static_cast<uint8_t>(best_low), static_cast<uint8_t>(whole), static_cast<uint16_t>(2 + (best_bits + 7) / 8)};
}

template <AnyFingerprint F>
void write_delta_block(std::span<const F> keys, const DeltaWidths& widths, uint8_t* out) {
  out[0] = static_cast<uint8_t>(widths.low);
  out[1] = static_cast<uint8_t>(widths.whole);
  BitWriter writer(out + 2);
  for (size_t i = 1; i < keys.size(); ++i) {
    const F value = gap(keys, i);
    const F zeros = value >> widths.low;
    if (zeros < DeltaWidths::kZeros) {
      writer.skip(static_cast<int>(zeros));
      writer.put(F{1}, 1);
      writer.put(value, widths.low);
    } else {
      writer.skip(DeltaWidths::kZeros);
      writer.put(value, widths.whole);
    }
  }
}

template DeltaWidths delta_widths(std::span<const fingerprint::Fingerprint>);
template DeltaWidths delta_widths(std::span<const fingerprint::Fingerprint128>);
template void write_delta_block(std::span<const fingerprint::Fingerprint>, const DeltaWidths&, uint8_t*);
template void write_delta_block(std::span<const fingerprint::Fingerprint128>, const DeltaWidths&, uint8_t*);

}  // namespace neardup::hamming
