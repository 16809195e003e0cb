#include "neardup/text/ascii.h"

#include <bit>
#include <cstdint>
#include <cstring>

// The target that moves bytes together by a mask is off by default in Highway 1.0.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/text/ascii.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::text {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Bytes = hn::CappedTag<uint8_t, 64>;
using Vector = hn::Vec<Bytes>;

template <class Mask>
HWY_INLINE uint64_t bits(Mask mask) {
  uint8_t stored[8] = {};
  hn::StoreMaskBits(Bytes(), mask, stored);
  uint64_t word;
  std::memcpy(&word, stored, 8);
  return word;
}

HWY_INLINE uint64_t high_bits(Vector v) {
  const hn::RebindToSigned<Bytes> d;
  return bits(hn::RebindMask(Bytes(), hn::Lt(hn::BitCast(d, v), hn::Zero(d))));
}

/// Bytes `low`..`low` + `count` - 1.
HWY_INLINE auto in_range(Vector v, uint8_t low, uint8_t count) {
  const Bytes d;
  return hn::Lt(hn::Sub(v, hn::Set(d, low)), hn::Set(d, count));
}

HWY_INLINE Vector to_lower(Vector v) {
  const Bytes d;
  return hn::Or(v, hn::IfThenElseZero(in_range(v, 'A', 26), hn::Set(d, 0x20)));
}

/// One vector of input: its first `count` bytes are ASCII.
struct Block {
  Vector bytes;
  uint64_t high = 0;
};

HWY_INLINE Block load(const char* from, size_t size) {
  const Bytes d;
  if (size >= hn::Lanes(d)) {
    const Vector v = hn::LoadU(d, reinterpret_cast<const uint8_t*>(from));
    return {v, high_bits(v)};
  }
  HWY_ALIGN uint8_t buffer[64];
  std::memset(buffer, 0x80, sizeof(buffer));  // the end of the input stops like a byte that is not ASCII
  std::memcpy(buffer, from, size);
  const Vector v = hn::Load(d, buffer);
  return {v, high_bits(v)};
}

AsciiRun copy_run(const char* from, size_t size, char* to, bool lower_case) {
  const Bytes d;
  size_t at = 0;
  for (;;) {
    const Block block = load(from + at, size - at);
    hn::StoreU(lower_case ? to_lower(block.bytes) : block.bytes, d, reinterpret_cast<uint8_t*>(to + at));
    if (block.high != 0) return {at + std::countr_zero(block.high), at + std::countr_zero(block.high)};
    at += hn::Lanes(d);
  }
}

/// A block that is folded, and the white space in it.
struct Folded {
  Vector bytes;
  uint64_t spaces;
};

HWY_INLINE Folded fold(Vector bytes, bool lower_case) {
  const Bytes d;
  const auto is_space = hn::Or(hn::Eq(bytes, hn::Set(d, ' ')), in_range(bytes, '\t', 5));
  return {hn::IfThenElse(is_space, hn::Set(d, ' '), lower_case ? to_lower(bytes) : bytes), bits(is_space)};
}

#if HWY_TARGET == HWY_AVX3_DL

// All that is kept of a block moves together at once.
AsciiRun collapse_run(const char* from, size_t size, char* to, bool after_space, bool lower_case) {
  const Bytes d;
  AsciiRun done;
  uint64_t carry = after_space ? 1 : 0;
  for (;;) {
    const Block block = load(from + done.consumed, size - done.consumed);
    const Folded folded = fold(block.bytes, lower_case);
    const uint64_t before_high = block.high == 0 ? ~uint64_t{0} : (block.high & (0 - block.high)) - 1;
    const uint64_t kept = ~(folded.spaces & (folded.spaces << 1 | carry)) & before_high;
    uint8_t mask[8];
    std::memcpy(mask, &kept, 8);
    const Vector together = hn::Compress(folded.bytes, hn::LoadMaskBits(d, mask));
    hn::StoreU(together, d, reinterpret_cast<uint8_t*>(to + done.written));
    done.written += static_cast<size_t>(std::popcount(kept));
    done.consumed += static_cast<size_t>(std::popcount(before_high));
    if (block.high != 0) return done;
    carry = folded.spaces >> 63;
  }
}

#else

AsciiRun collapse_run(const char* from, size_t size, char* to, bool after_space, bool lower_case) {
  const Bytes d;
  AsciiRun done;
  uint64_t carry = after_space ? 1 : 0;
  for (;;) {
    const Block block = load(from + done.consumed, size - done.consumed);
    const Folded folded = fold(block.bytes, lower_case);
    hn::StoreU(folded.bytes, d, reinterpret_cast<uint8_t*>(to + done.written));
    const uint64_t dropped = folded.spaces & (folded.spaces << 1 | carry);
    const uint64_t stop = dropped | block.high;
    if (stop == 0) {
      done.consumed += hn::Lanes(d);
      done.written += hn::Lanes(d);
      carry = folded.spaces >> (hn::Lanes(d) - 1) & 1;
      continue;
    }
    // Take what is before the first white space to drop, or before the first byte that is not ASCII.
    const int kept = std::countr_zero(stop);
    done.written += static_cast<size_t>(kept);
    done.consumed += static_cast<size_t>(kept);
    if ((block.high >> kept & 1) != 0) return done;
    done.consumed += static_cast<size_t>(std::countr_one(dropped >> kept));
    carry = 1;
  }
}

#endif

AsciiRun run(const char* from, size_t size, char* to, bool after_space, AsciiOptions options) {
  if (!options.collapse_space) return copy_run(from, size, to, options.lower_case);
  return collapse_run(from, size, to, after_space, options.lower_case);
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::text
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::text {

HWY_EXPORT(run);

AsciiRun ascii_run(const char* from, size_t size, char* to, bool after_space, AsciiOptions options) {
  return HWY_DYNAMIC_DISPATCH(run)(from, size, to, after_space, options);
}

}  // namespace neardup::text
#endif
