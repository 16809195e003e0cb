// The inner loops of selection, by vectors: the polynomials of many windows at once, and which of them are least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neardup::sif {

/// Arrays of these kernels may be read and written so many elements behind their end.
inline constexpr size_t kKernelPadding = 128;

/// Work arrays of hash_windows(): grow to what is asked.
struct HashScratch {
  std::vector<uint32_t> level;  // polynomials over 1, 2, 4, ... bytes
};

/// Sets out[i], for i < count, to the polynomial (polynomial.h) of the `substring_bytes` bytes that begin at bytes + i.
/// No step waits for the one before, as rolling would: the windows of 2n bytes come from those of n. Requires: all
/// count + substring_bytes - 1 bytes may be read; `out` has room for count + kKernelPadding.
/// Source: the doubling of Karp, Miller, Rosenberg (1972).
void hash_windows(const uint8_t* bytes, size_t count, size_t substring_bytes, HashScratch& scratch, uint32_t* out);

/// Sets keys[i] for i < count to the 16 bits of hash i by which winnowing orders. `keys` has room for count +
/// kKernelPadding.
void order_keys(const uint32_t* hashes, size_t count, uint16_t* keys);

/// Sets least[i], for i < count, to the smallest of keys[i .. i + window). Requires: keys has count + window - 1
/// elements and kKernelPadding more that may be read; least has room for count + window + kKernelPadding.
void sliding_min(const uint16_t* keys, size_t count, size_t window, uint16_t* least);
/// The same of the greatest.
void sliding_max(const uint16_t* keys, size_t count, size_t window, uint16_t* greatest);

/// Appends `base` + i to `out`, ascending, for each i < count where a[i] == b[i].
void append_equal(const uint16_t* a, const uint16_t* b, size_t count, uint64_t base, std::vector<uint64_t>& out);
/// The same where hashes[i] & mask is 0.
void append_zeros(const uint32_t* hashes, size_t count, uint32_t mask, uint64_t base, std::vector<uint64_t>& out);

}  // namespace neardup::sif
