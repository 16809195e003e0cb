// In which values two signatures agree, on the best instruction set of the machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "neardup/fingerprint/signature.h"

namespace neardup::fingerprint {

/// Returns how many words equal_values() writes.
[[nodiscard]] constexpr size_t mask_words(size_t num_values) { return (num_values + 63) / 64; }

/// Sets bit i of `mask` (bit i % 64 of mask[i / 64]) where a[i] == b[i], and clears the bits behind num_values. Returns
/// how many are set. Cost: about 4 ns for 128 values.
int equal_values(const SignatureValue* a, const SignatureValue* b, size_t num_values, uint64_t* mask);

/// The same without vector instructions: what machines use for which there is no other kernel.
int equal_values_scalar(const SignatureValue* a, const SignatureValue* b, size_t num_values, uint64_t* mask);

}  // namespace neardup::fingerprint
