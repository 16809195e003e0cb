// The definition adds or subtracts each weight in 64 counters. Here the features that have a bit are added, the others
// are not: the counter of the definition is twice that less the sum of all. So counters have no sign and are as narrow
// as they can be, 8 bits for features that weigh the same, 32 for weights in fixed point; blocks end before one can
// overflow, and go to sums of 64 bits.
// All is in integers, so every instruction set gives the same bits; tests hold each against counters.h.
#include "neardup/simhash/kernel.h"

#include <algorithm>
#include <array>
#include <cstddef>

// Scalable vectors cannot be held in arrays; the machines that have them have NEON too, or take the scalar kernel.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/simhash/kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef NEARDUP_SIMHASH_KERNEL_ONCE
#define NEARDUP_SIMHASH_KERNEL_ONCE

namespace neardup::simhash {

inline constexpr size_t kBits = fingerprint::kNumBits;
inline constexpr size_t kUnitBlock = 255;       // features that a counter of 8 bits holds
inline constexpr size_t kWeightedBlock = 4096;  // features of at most 2^20 - 1 units that a counter of 32 bits holds

/// For each bit the weight of the features that have it. The counter of the definition is 2 * with_bit - total.
using Sums = std::array<uint64_t, kBits>;

inline fingerprint::Fingerprint majority(const Sums& with_bit, uint64_t total) {
  fingerprint::Fingerprint bits = 0;
  for (size_t i = 0; i < kBits; ++i) bits |= uint64_t{2 * with_bit[i] > total} << i;
  return bits;
}

inline uint64_t sum_of(std::span<const uint32_t> units) {
  uint64_t sum = 0;
  for (const uint32_t unit : units) sum += unit;
  return sum;
}

/// Cuts `hashes` in blocks that cannot overflow the narrow counters of `add_block(begin, end, sums)`.
template <class AddBlock>
Sums add_in_blocks(size_t num_features, size_t block, const AddBlock& add_block) {
  Sums sums{};
  for (size_t begin = 0; begin < num_features; begin += block) {
    add_block(begin, std::min(num_features, begin + block), sums);
  }
  return sums;
}

}  // namespace neardup::simhash

#endif  // NEARDUP_SIMHASH_KERNEL_ONCE

HWY_BEFORE_NAMESPACE();
namespace neardup::simhash {
namespace HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

fingerprint::Fingerprint unit(std::span<const uint64_t> hashes) { return simhash_unit_scalar(hashes); }
fingerprint::Fingerprint weighted(std::span<const uint64_t> hashes, std::span<const uint32_t> units) {
  return simhash_weighted_scalar(hashes, units);
}

#else
namespace hn = hwy::HWY_NAMESPACE;

// 64 counters of 8 bits: one vector of AVX-512, two of AVX2, four of the others.
void add_unit_block(const uint64_t* hashes, size_t num_features, Sums& sums) {
  const hn::CappedTag<uint8_t, kBits> d;
  constexpr size_t kLanes = hn::MaxLanes(decltype(d)());
  constexpr size_t kVectors = kBits / kLanes;
  using Vector = hn::VFromD<decltype(d)>;
  Vector counters[kVectors];
  for (size_t v = 0; v < kVectors; ++v) counters[v] = hn::Zero(d);
  for (size_t i = 0; i < num_features; ++i) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(hashes + i);
    for (size_t v = 0; v < kVectors; ++v) {
      const auto has_bit = hn::LoadMaskBits(d, bytes + v * kLanes / 8);
      counters[v] = hn::Sub(counters[v], hn::VecFromMask(d, has_bit));
    }
  }
  HWY_ALIGN std::array<uint8_t, kBits> lanes;
  for (size_t v = 0; v < kVectors; ++v) hn::Store(counters[v], d, lanes.data() + v * kLanes);
  for (size_t i = 0; i < kBits; ++i) sums[i] += lanes[i];
}

// 64 counters of 32 bits. Lane j of vector v counts bit v * kLanes + j; a half of the hash serves 32 / kLanes vectors.
void add_weighted_block(const uint64_t* hashes, const uint32_t* units, size_t num_features, Sums& sums) {
  const hn::CappedTag<uint32_t, 16> d;
  constexpr size_t kLanes = hn::MaxLanes(decltype(d)());
  constexpr size_t kVectors = kBits / kLanes;
  constexpr size_t kHalf = kVectors / 2;
  using Vector = hn::VFromD<decltype(d)>;
  Vector counters[kVectors];
  Vector selectors[kHalf];
  for (size_t v = 0; v < kVectors; ++v) counters[v] = hn::Zero(d);
  const Vector first_selector = hn::Shl(hn::Set(d, 1), hn::Iota(d, 0));
  for (size_t v = 0; v < kHalf; ++v) selectors[v] = hn::ShiftLeftSame(first_selector, static_cast<int>(v * kLanes));
  for (size_t i = 0; i < num_features; ++i) {
    const Vector weight = hn::Set(d, units[i]);
    const Vector low = hn::Set(d, static_cast<uint32_t>(hashes[i]));
    const Vector high = hn::Set(d, static_cast<uint32_t>(hashes[i] >> 32));
    for (size_t v = 0; v < kHalf; ++v) {
      counters[v] = hn::Add(counters[v], hn::IfThenElseZero(hn::TestBit(low, selectors[v]), weight));
      counters[kHalf + v] = hn::Add(counters[kHalf + v], hn::IfThenElseZero(hn::TestBit(high, selectors[v]), weight));
    }
  }
  HWY_ALIGN std::array<uint32_t, kBits> lanes;
  for (size_t v = 0; v < kVectors; ++v) hn::Store(counters[v], d, lanes.data() + v * kLanes);
  for (size_t i = 0; i < kBits; ++i) sums[i] += lanes[i];
}

fingerprint::Fingerprint unit(std::span<const uint64_t> hashes) {
  const Sums sums = add_in_blocks(hashes.size(), kUnitBlock, [hashes](size_t begin, size_t end, Sums& out) {
    add_unit_block(hashes.data() + begin, end - begin, out);
  });
  return majority(sums, hashes.size());
}

fingerprint::Fingerprint weighted(std::span<const uint64_t> hashes, std::span<const uint32_t> units) {
  const Sums sums = add_in_blocks(hashes.size(), kWeightedBlock, [hashes, units](size_t begin, size_t end, Sums& out) {
    add_weighted_block(hashes.data() + begin, units.data() + begin, end - begin, out);
  });
  return majority(sums, sum_of(units));
}

#endif

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace neardup::simhash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::simhash {
namespace {

HWY_EXPORT(unit);
HWY_EXPORT(weighted);
HWY_EXPORT(target_name);

}  // namespace

fingerprint::Fingerprint simhash_unit(std::span<const uint64_t> hashes) { return HWY_DYNAMIC_DISPATCH(unit)(hashes); }

fingerprint::Fingerprint simhash_weighted(std::span<const uint64_t> hashes, std::span<const uint32_t> units) {
  return HWY_DYNAMIC_DISPATCH(weighted)(hashes, units);
}

std::string_view kernel_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace neardup::simhash

#endif  // HWY_ONCE
