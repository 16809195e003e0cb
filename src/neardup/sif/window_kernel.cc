// Measured against rolling, with its multiplication that each step waits for, and a queue of minima: bench/results.
#include "neardup/sif/window_kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "neardup/sif/polynomial.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/sif/window_kernel.cc"
#include <hwy/foreach_target.h>
// foreach_target must come first
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::sif::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void widen(const uint8_t* HWY_RESTRICT bytes, size_t count, uint32_t* HWY_RESTRICT out) {
  for (size_t i = 0; i < count; ++i) out[i] = bytes[i];
}

// level[i] = level[i] * factor + level[i + step], ascending: what is read ahead is not yet written.
void double_windows(uint32_t* level, size_t count, uint32_t factor, size_t step) {
  const hn::ScalableTag<uint32_t> d;
  const auto by = hn::Set(d, factor);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto ahead = hn::LoadU(d, level + i + step);
    hn::StoreU(hn::Add(hn::Mul(hn::LoadU(d, level + i), by), ahead), d, level + i);
  }
}

// out[i] = out[i] * factor + level[i + step]
void append_windows(uint32_t* HWY_RESTRICT out, const uint32_t* HWY_RESTRICT level, size_t count, uint32_t factor,
                    size_t step) {
  const hn::ScalableTag<uint32_t> d;
  const auto by = hn::Set(d, factor);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto more = hn::LoadU(d, level + i + step);
    hn::StoreU(hn::Add(hn::Mul(hn::LoadU(d, out + i), by), more), d, out + i);
  }
}

void order_keys(const uint32_t* HWY_RESTRICT hashes, size_t count, uint16_t* HWY_RESTRICT keys) {
  // The high bits of a product depend on all bits of the hash; those of the hash itself do not on its last bytes.
  for (size_t i = 0; i < count; ++i) keys[i] = static_cast<uint16_t>(hashes[i] * 0x85ebca6bU >> 16);
}

template <class Pick>
HWY_INLINE void sliding(const uint16_t* keys, size_t count, size_t window, uint16_t* out, const Pick& pick) {
  const hn::ScalableTag<uint16_t> d;
  const size_t lanes = hn::Lanes(d);
  const size_t all = count + window - 1;  // what is not yet done shrinks by each step
  std::memcpy(out, keys, all * sizeof *out);
  size_t done = 1;
  for (; 2 * done <= window; done *= 2) {
    for (size_t i = 0; i + done < all; i += lanes)
      hn::StoreU(pick(hn::LoadU(d, out + i), hn::LoadU(d, out + i + done)), d, out + i);
  }
  if (done == window) return;
  for (size_t i = 0; i < count; i += lanes)
    hn::StoreU(pick(hn::LoadU(d, out + i), hn::LoadU(d, out + i + window - done)), d, out + i);
}

void sliding_min(const uint16_t* keys, size_t count, size_t window, uint16_t* least) {
  sliding(keys, count, window, least, [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); });
}

void sliding_max(const uint16_t* keys, size_t count, size_t window, uint16_t* greatest) {
  sliding(keys, count, window, greatest, [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); });
}

// Appends base + the number of each bit of a vector's mask. Bits of lanes that are not there are dropped.
template <class D, class M>
HWY_INLINE void append_bits(D d, M hits, size_t left, uint64_t base, std::vector<uint64_t>& out) {
  HWY_ALIGN uint8_t bytes[HWY_MAX(8, HWY_MAX_BYTES / 8)] = {};
  hn::StoreMaskBits(d, hits, bytes);
  for (size_t begin = 0; begin < hn::Lanes(d) && begin < left; begin += 64) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes + begin / 8, HWY_MIN(sizeof bits, (hn::Lanes(d) + 7) / 8));
    if (left - begin < 64) bits &= (uint64_t{1} << (left - begin)) - 1;
    for (; bits != 0; bits &= bits - 1) out.push_back(base + begin + static_cast<size_t>(std::countr_zero(bits)));
  }
}

void append_equal(const uint16_t* a, const uint16_t* b, size_t count, uint64_t base, std::vector<uint64_t>& out) {
  const hn::ScalableTag<uint16_t> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto hits = hn::Eq(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    if (!hn::AllFalse(d, hits)) append_bits(d, hits, count - i, base + i, out);
  }
}

void append_zeros(const uint32_t* hashes, size_t count, uint32_t mask, uint64_t base, std::vector<uint64_t>& out) {
  const hn::ScalableTag<uint32_t> d;
  const auto bits = hn::Set(d, mask);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto hits = hn::Eq(hn::And(hn::LoadU(d, hashes + i), bits), hn::Zero(d));
    if (!hn::AllFalse(d, hits)) append_bits(d, hits, count - i, base + i, out);
  }
}

}  // namespace neardup::sif::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::sif {
namespace {

HWY_EXPORT(widen);
HWY_EXPORT(double_windows);
HWY_EXPORT(append_windows);
HWY_EXPORT(order_keys);
HWY_EXPORT(sliding_min);
HWY_EXPORT(sliding_max);
HWY_EXPORT(append_equal);
HWY_EXPORT(append_zeros);

}  // namespace

void hash_windows(const uint8_t* bytes, size_t count, size_t substring_bytes, HashScratch& scratch, uint32_t* out) {
  const size_t num_bytes = count + substring_bytes - 1;
  // Windows that reach behind the end are sums of rubbish, which nobody reads.
  scratch.level.resize(num_bytes + substring_bytes + kKernelPadding);
  uint32_t* level = scratch.level.data();
  HWY_DYNAMIC_DISPATCH(widen)(bytes, num_bytes, level);
  size_t done = 0, size = 1;
  while (true) {
    if ((substring_bytes & size) != 0) {
      if (done == 0) {
        std::memcpy(out, level, count * sizeof *out);
      } else {
        HWY_DYNAMIC_DISPATCH(append_windows)(out, level, count, prime_power(size), done);
      }
      done += size;
    }
    if (done == substring_bytes) return;
    HWY_DYNAMIC_DISPATCH(double_windows)(level, num_bytes, prime_power(size), size);
    size *= 2;
  }
}

void order_keys(const uint32_t* hashes, size_t count, uint16_t* keys) {
  HWY_DYNAMIC_DISPATCH(order_keys)(hashes, count, keys);
}

void sliding_min(const uint16_t* keys, size_t count, size_t window, uint16_t* least) {
  HWY_DYNAMIC_DISPATCH(sliding_min)(keys, count, window, least);
}

void sliding_max(const uint16_t* keys, size_t count, size_t window, uint16_t* greatest) {
  HWY_DYNAMIC_DISPATCH(sliding_max)(keys, count, window, greatest);
}

void append_equal(const uint16_t* a, const uint16_t* b, size_t count, uint64_t base, std::vector<uint64_t>& out) {
  HWY_DYNAMIC_DISPATCH(append_equal)(a, b, count, base, out);
}

void append_zeros(const uint32_t* hashes, size_t count, uint32_t mask, uint64_t base, std::vector<uint64_t>& out) {
  HWY_DYNAMIC_DISPATCH(append_zeros)(hashes, count, mask, base, out);
}

}  // namespace neardup::sif

#endif  // HWY_ONCE
