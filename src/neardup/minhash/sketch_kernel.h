// Inner part of Signer: its loops, on the best instruction set of the machine. All give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "neardup/fingerprint/signature.h"

namespace neardup::minhash {

/// In how many rounds all elements are thrown into the bins before each bin that is still empty looks at all of them.
inline constexpr size_t kRounds = 16;

/// What a bin holds that has got nothing.
inline constexpr uint64_t kEmptyBin = ~uint64_t{0};

/// Working memory for the bins that stay empty.
struct LateBins {
  uint64_t seeds[fingerprint::kMaxSignatureValues];  // of the empty bins, side by side
  uint64_t least[fingerprint::kMaxSignatureValues];  // so far
  uint32_t bins[fingerprint::kMaxSignatureValues];   // which they are
};

/// Fills bins[0 .. num_bins) with the least key of each, by the definition in signer.h.
/// Requires: hashes not empty; kRounds + num_bins seeds.
void fill_bins(std::span<const uint64_t> hashes, const uint64_t* seeds, size_t num_bins, uint64_t* bins,
               LateBins& late);

/// Writes the value of each bin.
void write_values(const uint64_t* bins, std::span<fingerprint::SignatureValue> out);

}  // namespace neardup::minhash
