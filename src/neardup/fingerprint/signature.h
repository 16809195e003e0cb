// MinHash signatures: sets of features as rows of 16-bit values, of which equal sets have equal ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace neardup::fingerprint {

/// One value of a signature. Two sets of Jaccard similarity J agree in each value with probability J + (1 - J) / 2^16.
/// Four values make a 64-bit key. A signature is its own sketch: 256 bytes for 128 values.
using SignatureValue = uint16_t;

inline constexpr int kDefaultSignatureValues = 128;
inline constexpr int kSignatureStep = 16;  // signatures have a multiple of this many values
inline constexpr int kMaxSignatureValues = 1024;

[[nodiscard]] constexpr bool is_signature_size(int num_values) {
  return num_values >= kSignatureStep && num_values <= kMaxSignatureValues && num_values % kSignatureStep == 0;
}

/// Returns in how many places i a[i] == b[i]; equal_values() of equal_values.h says in which.
/// Requires: both of one length, at most kMaxSignatureValues. Cost: about 4 ns for 128 values.
[[nodiscard]] size_t count_equal(std::span<const SignatureValue> a, std::span<const SignatureValue> b);

/// Returns the unbiased estimate of the Jaccard similarity of two sets whose signatures agree in `num_equal` of
/// `num_values` values, chance agreement taken out; 0 where it would be negative. Requires: 0 < num_values.
[[nodiscard]] double estimated_jaccard(size_t num_equal, size_t num_values);

/// Returns the standard error of estimated_jaccard() at similarity `jaccard`, that of as many independent values:
/// .044 at most for 128 values.
[[nodiscard]] double jaccard_error(double jaccard, size_t num_values);

}  // namespace neardup::fingerprint
