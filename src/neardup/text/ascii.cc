#include "neardup/text/ascii.h"

#include <bit>
#include <cstdint>
#include <cstring>

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
uint64_t bits(Mask mask) {
  uint8_t stored[8] = {};
  hn::StoreMaskBits(Bytes(), mask, stored);
  uint64_t word;
  std::memcpy(&word, stored, 8);
  return word;
}

uint64_t high_bits(Vector v) {
  const hn::RebindToSigned<Bytes> d;
  return bits(hn::RebindMask(Bytes(), hn::Lt(hn::BitCast(d, v), hn::Zero(d))));
}

/// Bytes `low`..`low` + `count` - 1.
auto in_range(Vector v, uint8_t low, uint8_t count) {
  const Bytes d;
  return hn::Lt(hn::Sub(v, hn::Set(d, low)), hn::Set(d, count));
}

Vector to_lower(Vector v) {
  const Bytes d;
  return hn::Or(v, hn::IfThenElseZero(in_range(v, 'A', 26), hn::Set(d, 0x20)));
}

/// One vector of input: its first `count` bytes are ASCII.
struct Block {
  Vector bytes;
  uint64_t high = 0;
};

Block load(const char* from, size_t size) {
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

AsciiRun collapse_run(const char* from, size_t size, char* to, bool after_space, bool lower_case) {
  const Bytes d;
  AsciiRun done;
  uint64_t carry = after_space ? 1 : 0;
  for (;;) {
    const Block block = load(from + done.consumed, size - done.consumed);
    const auto is_space = hn::Or(hn::Eq(block.bytes, hn::Set(d, ' ')), in_range(block.bytes, '\t', 5));
    const Vector folded = lower_case ? to_lower(block.bytes) : block.bytes;
    hn::StoreU(hn::IfThenElse(is_space, hn::Set(d, ' '), folded), d, reinterpret_cast<uint8_t*>(to + done.written));
    const uint64_t spaces = bits(is_space);
    const uint64_t dropped = spaces & (spaces << 1 | carry);
    const uint64_t stop = dropped | block.high;
    if (stop == 0) {
      done.consumed += hn::Lanes(d);
      done.written += hn::Lanes(d);
      carry = spaces >> (hn::Lanes(d) - 1) & 1;
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
