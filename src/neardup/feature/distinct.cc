#include "neardup/feature/distinct.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace neardup::feature {
namespace {

constexpr size_t kMinSlots = 64;
constexpr size_t kPrefetchSlots = size_t{1} << 15;  // larger tables do not fit the nearest caches
constexpr size_t kPrefetchAhead = 16;

}  // namespace

// Clearing costs as much as a few insertions in a hundred, as the table is only two to four times the document.
void DistinctTable::clear(size_t num_values) {
  const size_t num_slots = std::max(kMinSlots, std::bit_ceil(num_values * 2));
  keys_ = keys_memory_.reserve(num_slots);
  std::memset(keys_, 0, num_slots * sizeof(uint64_t));
  mask_ = num_slots - 1;
  shift_ = 64 - std::countr_zero(num_slots);
}

std::span<const uint64_t> DistinctTable::distinct(std::span<const uint64_t> hashes) {
  clear(hashes.size());
  uint64_t* const out = hashes_memory_.reserve(hashes.size());
  const bool prefetch = mask_ >= kPrefetchSlots;
  size_t size = 0;
  bool seen_zero = false;
  for (size_t i = 0; i < hashes.size(); ++i) {
    if (prefetch && i + kPrefetchAhead < hashes.size()) {
      __builtin_prefetch(keys_ + (hashes[i + kPrefetchAhead] >> shift_), 1);
    }
    const uint64_t hash = hashes[i];
    size_t slot = hash >> shift_;
    while ((keys_[slot] != 0) & (keys_[slot] != hash)) slot = (slot + 1) & mask_;
    // Whether a value is new is hard to foresee: so no branch depends on it.
    out[size] = hash;
    size += keys_[slot] == 0;
    keys_[slot] = hash;
    if (hash == 0) [[unlikely]] {  // 0 marks an empty slot, so it looks new each time
      size -= seen_zero;
      seen_zero = true;
    }
  }
  return {out, size};
}

Counted DistinctTable::count(std::span<const uint64_t> hashes) {
  clear(hashes.size());
  uint64_t* const out = hashes_memory_.reserve(hashes.size());
  uint32_t* const counts = counts_memory_.reserve(hashes.size());
  uint32_t* const positions = positions_memory_.reserve(mask_ + 1);
  const bool prefetch = mask_ >= kPrefetchSlots;
  uint32_t size = 0;
  uint32_t zeros = 0;
  for (size_t i = 0; i < hashes.size(); ++i) {
    if (prefetch && i + kPrefetchAhead < hashes.size()) {
      const size_t ahead = hashes[i + kPrefetchAhead] >> shift_;
      __builtin_prefetch(keys_ + ahead, 1);
      __builtin_prefetch(positions + ahead, 1);
    }
    const uint64_t hash = hashes[i];
    if (hash == 0) [[unlikely]] {
      ++zeros;
      continue;
    }
    size_t slot = hash >> shift_;
    while ((keys_[slot] != 0) & (keys_[slot] != hash)) slot = (slot + 1) & mask_;
    const bool is_new = keys_[slot] == 0;
    const uint32_t position = is_new ? size : positions[slot];
    const uint32_t before = is_new ? 0 : counts[position];
    keys_[slot] = hash;
    positions[slot] = position;
    out[position] = hash;
    counts[position] = before + 1;
    size += is_new;
  }
  if (zeros > 0) {
    out[size] = 0;
    counts[size++] = zeros;
  }
  return {{out, size}, {counts, size}};
}

}  // namespace neardup::feature
