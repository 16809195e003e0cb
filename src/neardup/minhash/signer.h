// From the feature hashes of a text to its MinHash signature.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "neardup/fingerprint/signature.h"

namespace neardup::minhash {

struct SignatureOptions {
  int num_values = fingerprint::kDefaultSignatureValues;  // fingerprint::is_signature_size()
  uint64_t seed = 0;
};

/// In how many rounds all elements are thrown into the bins before each bin that is still empty looks at all of them.
inline constexpr size_t kRounds = 16;

/// Makes signatures of sets of 64-bit hashes: value i is a hash of the least element that came into bin i.
///
/// Round r = 0, 1, ...: element x becomes y = h(x, r) and falls in bin floor(y * num_values / 2^64); each bin that was
/// empty before the round keeps the least y that it gets. The rounds end when no bin is empty, or after kRounds. A bin
/// b that is then still empty takes the least h(x, kRounds + b) of all elements. The value of a bin is the upper 16
/// bits of mix64(y). Modulo 2^64, h(x, j) = (z ^ (z >> 32)) * 0x94d049bb133111eb, where z = (x ^ mix64(seed + (j + 1) *
/// 0x9e3779b97f4a7c15)) * 0xbf58476d1ce4e5b9.
///
/// Two sets agree in each value with the probability that is their Jaccard similarity (and 2^-16 by chance), whatever
/// their sizes; the spread of the estimate is at most that of independent values.
/// See: Dahlgaard, Knudsen, Thorup 2017, Fast similarity sketching; docs/design/minhash.md.
/// Threads: one object per thread.
class Signer {
 public:
  /// Requires: fingerprint::is_signature_size(options.num_values).
  explicit Signer(const SignatureOptions& options);

  /// Fills `signature` for the set of `hashes`: neither their order nor repetitions matter. All zeros for none.
  /// Requires: signature.size() = num_values(); well-mixed hashes (mix64() or ngram_hashes()).
  /// Cost: about 1 ns a hash and 0.5 us. No allocation.
  void sign(std::span<const uint64_t> hashes, std::span<fingerprint::SignatureValue> signature);

  [[nodiscard]] int num_values() const { return static_cast<int>(num_values_); }

 private:
  static constexpr size_t kMaxValues = fingerprint::kMaxSignatureValues;

  size_t num_values_;
  std::array<uint64_t, kRounds + kMaxValues> seeds_;     // of h(x, j)
  alignas(64) std::array<uint64_t, kMaxValues> least_;   // of each bin
  alignas(64) std::array<uint64_t, kMaxValues> thrown_;  // of each bin in one round
};

}  // namespace neardup::minhash
