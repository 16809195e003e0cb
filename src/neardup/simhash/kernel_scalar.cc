#include <algorithm>
#include <array>

#include "neardup/simhash/kernel.h"

namespace neardup::simhash {
namespace {

constexpr size_t kBits = fingerprint::kNumBits;
constexpr size_t kBlock = 255;  // features that a counter of 8 bits holds

fingerprint::Fingerprint majority(const std::array<uint64_t, kBits>& with_bit, uint64_t total) {
  fingerprint::Fingerprint bits = 0;
  for (size_t i = 0; i < kBits; ++i) bits |= uint64_t{2 * with_bit[i] > total} << i;
  return bits;
}

/// Returns bit j of `byte` as the lowest bit of byte j: copies the byte eight times, takes another bit of each copy and
/// moves it to the top by a sum that carries no further.
uint64_t spread(uint64_t byte) {
  const uint64_t one_bit_each = byte * 0x0101010101010101ULL & 0x8040201008040201ULL;
  return (one_bit_each + 0x00406070787c7e7fULL) >> 7 & 0x0101010101010101ULL;
}

}  // namespace

fingerprint::Fingerprint simhash_unit_scalar(std::span<const uint64_t> hashes) {
  std::array<uint64_t, kBits> sums{};
  for (size_t begin = 0; begin < hashes.size(); begin += kBlock) {
    std::array<uint64_t, 8> counters{};  // byte j of counters[b] counts bit 8 * b + j
    for (const uint64_t hash : hashes.subspan(begin, std::min(kBlock, hashes.size() - begin))) {
      for (size_t b = 0; b < counters.size(); ++b) counters[b] += spread(hash >> (8 * b) & 0xff);
    }
    for (size_t i = 0; i < kBits; ++i) sums[i] += counters[i / 8] >> (8 * (i % 8)) & 0xff;
  }
  return majority(sums, hashes.size());
}

fingerprint::Fingerprint simhash_weighted_scalar(std::span<const uint64_t> hashes, std::span<const uint32_t> units) {
  std::array<uint64_t, kBits> sums{};
  uint64_t total = 0;
  for (size_t feature = 0; feature < hashes.size(); ++feature) {
    total += units[feature];
    for (size_t i = 0; i < kBits; ++i) sums[i] += (hashes[feature] >> i & 1) * units[feature];
  }
  return majority(sums, total);
}

}  // namespace neardup::simhash
