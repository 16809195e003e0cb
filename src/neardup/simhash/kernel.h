// The fast kernels: features -> fingerprint, on the best instruction set of the machine. All give the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "neardup/fingerprint/value.h"

namespace neardup::simhash {

/// Returns the SimHash of features that all weigh the same: bit i is 1 where more than half of the hashes have it.
/// 0 for no features. Cost: about a cycle per feature with AVX-512, four with AVX2.
[[nodiscard]] fingerprint::Fingerprint simhash_unit(std::span<const uint64_t> hashes);

/// Returns the SimHash of hashes[i] with weight units[i] (fixed point, see counters.h). 0 for no features.
/// Requires: both of one length; units[i] < kMaxUnits; fewer than 2^32 features.
[[nodiscard]] fingerprint::Fingerprint simhash_weighted(std::span<const uint64_t> hashes,
                                                        std::span<const uint32_t> units);

/// Returns the name of the instruction set that the two functions above use now, such as "AVX3" (AVX-512) or "AVX2".
/// Tests choose one with hwy::SetSupportedTargetsForTest().
[[nodiscard]] std::string_view kernel_target();

/// The same without any vector instructions: what machines use for which there is no other kernel.
[[nodiscard]] fingerprint::Fingerprint simhash_unit_scalar(std::span<const uint64_t> hashes);
[[nodiscard]] fingerprint::Fingerprint simhash_weighted_scalar(std::span<const uint64_t> hashes,
                                                               std::span<const uint32_t> units);

}  // namespace neardup::simhash
