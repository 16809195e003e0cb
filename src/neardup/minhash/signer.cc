#include "neardup/minhash/signer.h"

#include <algorithm>
#include <cstdlib>

#include "neardup/base/hash.h"

namespace neardup::minhash {
namespace {

constexpr uint64_t kStep = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio
constexpr uint64_t kEmpty = ~uint64_t{0};

__extension__ using Product = unsigned __int128;

uint64_t hash_of(uint64_t element, uint64_t seed) {
  uint64_t value = (element ^ seed) * 0xbf58476d1ce4e5b9ULL;
  value ^= value >> 32;
  return value * 0x94d049bb133111ebULL;
}

/// Lowers least[bin] to the elements that fall there.
void throw_into_bins(std::span<const uint64_t> hashes, uint64_t seed, uint64_t num_bins, uint64_t* least) {
  for (const uint64_t hash : hashes) {
    const uint64_t value = hash_of(hash, seed);
    uint64_t& bin = least[static_cast<uint64_t>(Product{value} * num_bins >> 64)];
    bin = std::min(bin, value);
  }
}

uint64_t least_hash(std::span<const uint64_t> hashes, uint64_t seed) {
  uint64_t least = kEmpty;
  for (const uint64_t hash : hashes) least = std::min(least, hash_of(hash, seed));
  return least;
}

}  // namespace

Signer::Signer(const SignatureOptions& options) : num_values_(static_cast<size_t>(options.num_values)) {
  if (!fingerprint::is_signature_size(options.num_values)) std::abort();
  for (size_t j = 0; j < seeds_.size(); ++j) seeds_[j] = mix64(options.seed + (j + 1) * kStep);
}

void Signer::sign(std::span<const uint64_t> hashes, std::span<fingerprint::SignatureValue> signature) {
  if (signature.size() != num_values_) std::abort();
  if (hashes.empty()) {
    std::fill(signature.begin(), signature.end(), fingerprint::SignatureValue{0});
    return;
  }
  std::fill_n(least_.begin(), num_values_, kEmpty);
  size_t num_empty = num_values_;
  for (size_t round = 0; round < kRounds && num_empty > 0; ++round) {
    // A bin that is full has 0 here, which nothing lowers.
    for (size_t i = 0; i < num_values_; ++i) thrown_[i] = least_[i] == kEmpty ? kEmpty : 0;
    throw_into_bins(hashes, seeds_[round], num_values_, thrown_.data());
    num_empty = 0;
    for (size_t i = 0; i < num_values_; ++i) {
      if (least_[i] == kEmpty) least_[i] = thrown_[i];
      num_empty += least_[i] == kEmpty ? 1 : 0;
    }
  }
  for (size_t i = 0; i < num_values_; ++i) {
    if (least_[i] == kEmpty) least_[i] = least_hash(hashes, seeds_[kRounds + i]);
    signature[i] = static_cast<fingerprint::SignatureValue>(mix64(least_[i]) >> 48);
  }
}

}  // namespace neardup::minhash
