#include "neardup/sif/hash_filter.h"

#include <algorithm>
#include <array>
#include <bit>

namespace neardup::sif {

HashFilter::HashFilter(std::vector<uint32_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.empty()) return;
  const int bits = std::clamp(static_cast<int>(std::bit_width(values.size() * 16)), 10, 30);
  shift_ = 32 - bits;
  bits_.assign(size_t{1} << (bits - 6), 0);
  const int table_bits = std::clamp(static_cast<int>(std::bit_width(values.size() * 2)), 4, 32);
  table_shift_ = 32 - table_bits;
  table_.assign(size_t{1} << table_bits, 0);
  for (const uint32_t value : values) {
    bits_[place_of(value) >> 6] |= uint64_t{1} << (place_of(value) & 63);
    if (value == 0) has_zero_ = true;
    size_t i = (value * uint64_t{0x9e3779b1} & UINT32_MAX) >> table_shift_;
    while (value != 0 && table_[i] != 0) i = (i + 1) & (table_.size() - 1);
    if (value != 0) table_[i] = value;
  }
}

bool HashFilter::holds(uint32_t value) const {
  if (value == 0) return has_zero_;
  size_t i = (value * uint64_t{0x9e3779b1} & UINT32_MAX) >> table_shift_;
  while (table_[i] != 0 && table_[i] != value) i = (i + 1) & (table_.size() - 1);
  return table_[i] == value;
}

// Most are not in the set, and which is anyone's guess: so the first look has no jump.
void HashFilter::append_hits(const uint32_t* hashes, size_t count, uint64_t base, std::vector<uint64_t>& out) const {
  constexpr size_t kChunk = 256;
  std::array<uint32_t, kChunk> maybe;
  for (size_t begin = 0; begin < count; begin += kChunk) {
    const size_t end = std::min(count, begin + kChunk);
    size_t num_maybe = 0;
    for (size_t i = begin; i < end; ++i) {
      const size_t place = place_of(hashes[i]);
      maybe[num_maybe] = static_cast<uint32_t>(i);
      num_maybe += bits_[place >> 6] >> (place & 63) & 1;
    }
    for (size_t k = 0; k < num_maybe; ++k) {
      const size_t i = maybe[k];
      const bool repeats = i > 0 && hashes[i] == hashes[i - 1];
      if (!repeats && holds(hashes[i])) out.push_back(base + i);
    }
  }
}

}  // namespace neardup::sif
