#include "neardup/token/ascii_class.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/token/ascii_class.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::token {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Bytes = hn::CappedTag<uint8_t, 64>;
using Vector = hn::Vec<Bytes>;

HWY_INLINE auto in_range(Vector v, uint8_t low, uint8_t count) {
  const Bytes d;
  return hn::Lt(hn::Sub(v, hn::Set(d, low)), hn::Set(d, count));
}

template <class Mask>
HWY_INLINE uint64_t bits(Mask mask) {
  uint8_t stored[8] = {};
  hn::StoreMaskBits(Bytes(), mask, stored);
  uint64_t word;
  std::memcpy(&word, stored, 8);
  return word;
}

/// U+4E00 is E4 B8 80, U+9FBF is E9 BE BF.
HWY_INLINE auto begins_common_han(Vector first, Vector second) {
  const Bytes d;
  const auto before = hn::And(hn::Eq(first, hn::Set(d, 0xE4)), hn::Lt(second, hn::Set(d, 0xB8)));
  const auto behind = hn::And(hn::Eq(first, hn::Set(d, 0xE9)), hn::Gt(second, hn::Set(d, 0xBE)));
  return hn::AndNot(hn::Or(before, behind), in_range(first, 0xE4, 6));
}

/// U+AC00 is EA B0 80, U+D77F is ED 9D BF.
HWY_INLINE auto begins_common_syllable(Vector first, Vector second) {
  const Bytes d;
  const auto before = hn::And(hn::Eq(first, hn::Set(d, 0xEA)), hn::Lt(second, hn::Set(d, 0xB0)));
  const auto behind = hn::And(hn::Eq(first, hn::Set(d, 0xED)), hn::Gt(second, hn::Set(d, 0x9D)));
  return hn::AndNot(hn::Or(before, behind), in_range(first, 0xEA, 4));
}

/// Sets the bits of the characters that begin in 64 bytes. Reads one byte more.
template <bool kHangul>
HWY_INLINE uint64_t common_units(const uint8_t* from) {
  const Bytes d;
  uint64_t units = 0;
  for (size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const Vector first = hn::LoadU(d, from + i);
    const Vector second = hn::LoadU(d, from + i + 1);
    auto found = begins_common_han(first, second);
    if constexpr (kHangul) {
      // Texts have Hangul everywhere or nowhere.
      if (!hn::AllFalse(Bytes(), in_range(first, 0xEA, 4)))
        found = hn::Or(found, begins_common_syllable(first, second));
    }
    units |= bits(found) << i;
  }
  return units;
}

/// Classifies 64 bytes.
HWY_INLINE void classify_block(const uint8_t* from, uint64_t* alnum, uint64_t* high) {
  const Bytes d;
  const hn::RebindToSigned<Bytes> ds;
  *alnum = *high = 0;
  for (size_t i = 0; i < 64; i += hn::Lanes(d)) {
    const Vector v = hn::LoadU(d, from + i);
    const auto is_alnum = hn::Or(in_range(hn::Or(v, hn::Set(d, 0x20)), 'a', 26), in_range(v, '0', 10));
    const auto is_high = hn::RebindMask(d, hn::Lt(hn::BitCast(ds, v), hn::Zero(ds)));
    *alnum |= bits(is_alnum) << i;
    *high |= bits(is_high) << i;
  }
}

void classify(const char* text, size_t size, uint64_t* alnum, uint64_t* high) {
  const auto* from = reinterpret_cast<const uint8_t*>(text);
  const size_t whole = size / 64;
  for (size_t i = 0; i < whole; ++i) classify_block(from + i * 64, alnum + i, high + i);
  uint8_t rest[64] = {};
  if (size % 64 != 0) std::memcpy(rest, from + whole * 64, size % 64);
  classify_block(rest, alnum + whole, high + whole);
}

template <bool kHangul>
HWY_INLINE void add_units(const char* text, size_t size, uint64_t* alnum, const uint64_t* high) {
  const auto* from = reinterpret_cast<const uint8_t*>(text);
  const size_t last = (std::max<size_t>(size, 1) - 1) / 64;  // block that no byte is behind
  for (size_t i = 0; i < last; ++i) {
    if (high[i] != 0) alnum[i] |= common_units<kHangul>(from + i * 64);
  }
  uint8_t rest[65] = {};
  std::copy(from + last * 64, from + size, rest);
  alnum[last] |= common_units<kHangul>(rest);
}

void add_han(const char* text, size_t size, uint64_t* alnum, const uint64_t* high) {
  add_units<false>(text, size, alnum, high);
}

void add_han_and_hangul(const char* text, size_t size, uint64_t* alnum, const uint64_t* high) {
  add_units<true>(text, size, alnum, high);
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::token
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::token {

HWY_EXPORT(classify);
HWY_EXPORT(add_han);
HWY_EXPORT(add_han_and_hangul);

void classify_ascii(const char* text, size_t size, uint64_t* alnum, uint64_t* high) {
  HWY_DYNAMIC_DISPATCH(classify)(text, size, alnum, high);
}

void add_common_han(const char* text, size_t size, uint64_t* alnum, const uint64_t* high) {
  HWY_DYNAMIC_DISPATCH(add_han)(text, size, alnum, high);
}

void add_common_han_and_hangul(const char* text, size_t size, uint64_t* alnum, const uint64_t* high) {
  HWY_DYNAMIC_DISPATCH(add_han_and_hangul)(text, size, alnum, high);
}

}  // namespace neardup::token
#endif
