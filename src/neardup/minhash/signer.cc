// The definition to the bit stands in signer.h: signatures are kept in files and compared across runs, so none of it
// may change. Why rounds and not one hash for each value, why 16 bits: docs/design/minhash.md.
#include "neardup/minhash/signer.h"

#include <algorithm>
#include <cstdlib>

#include "neardup/base/hash.h"

namespace neardup::minhash {

Signer::Signer(const SignatureOptions& options) : num_values_(static_cast<size_t>(options.num_values)) {
  if (!fingerprint::is_signature_size(options.num_values)) std::abort();
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio
  for (size_t j = 0; j < seeds_.size(); ++j) seeds_[j] = mix64(options.seed + (j + 1) * kStep);
}

void Signer::sign(std::span<const uint64_t> hashes, std::span<fingerprint::SignatureValue> signature) {
  if (signature.size() != num_values_) std::abort();
  if (hashes.empty()) {
    std::fill(signature.begin(), signature.end(), fingerprint::SignatureValue{0});
    return;
  }
  fill_bins(hashes, seeds_.data(), num_values_, bins_.data(), late_);
  write_values(bins_.data(), signature);
}

}  // namespace neardup::minhash
