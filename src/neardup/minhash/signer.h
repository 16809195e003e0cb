// From the feature hashes of a text to its MinHash signature.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "neardup/fingerprint/signature.h"
#include "neardup/minhash/sketch_kernel.h"

namespace neardup::minhash {

struct SignatureOptions {
  int num_values = fingerprint::kDefaultSignatureValues;  // fingerprint::is_signature_size()
  uint64_t seed = 0;
};

/// Makes signatures of sets of 64-bit hashes: value i is a hash of the least element that came into bin i.
///
/// Round r = 0, 1, ...: element x becomes y = h(x, r), falls in bin (y / 2^32) * num_values / 2^32 (both rounded down)
/// and has the key y / 2^4 + r * 2^60. The rounds end when no bin is empty, or after kRounds; a bin keeps the least key
/// that it got, which is one of the first round that reached it. A bin b that is still empty takes the least
/// h(x, kRounds + b) of all elements as its key. Value b of the signature is the upper 16 bits of mix64(key).
/// h(x, j) = (z xor z / 2^32) * 0x94d049bb133111eb modulo 2^64, with
/// z = (x xor mix64(seed + (j + 1) * 0x9e3779b97f4a7c15)) * 0xbf58476d1ce4e5b9.
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
  /// Cost: about 0.6 ns a hash for each round that it takes, mostly one or two, and 0.3 us. No allocation.
  void sign(std::span<const uint64_t> hashes, std::span<fingerprint::SignatureValue> signature);

  [[nodiscard]] int num_values() const { return static_cast<int>(num_values_); }

 private:
  static constexpr size_t kMaxValues = fingerprint::kMaxSignatureValues;

  size_t num_values_;
  std::array<uint64_t, kRounds + kMaxValues> seeds_;  // of h(x, j)
  alignas(64) std::array<uint64_t, kMaxValues> bins_;
  LateBins late_;  // working memory
};

}  // namespace neardup::minhash
