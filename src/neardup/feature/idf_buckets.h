// Inner part of IDF dictionaries: the table that is asked once for each distinct token of each document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace neardup::feature {

/// One cache line of tokens and their weights, filled from the first place on.
struct alignas(64) IdfBucket {
  static constexpr size_t kSize = 8;
  uint32_t tags[kSize] = {};  // tag_of() the token's hash; 0 = empty
  float weights[kSize] = {};
  [[nodiscard]] bool is_full() const { return tags[kSize - 1] != 0; }
};

/// A token is in its home bucket, or where that is full in the first behind that was not full when it came. The last
/// bucket has an empty place.
struct IdfTable {
  const IdfBucket* buckets = nullptr;
  size_t num_homes = 1;  // 1..2^32
  float unknown_weight = 1;

  [[nodiscard]] static uint32_t tag_of(uint64_t hash) {
    const auto low = static_cast<uint32_t>(hash);
    return low != 0 ? low : 1;
  }
  /// Grows with the hash.
  [[nodiscard]] size_t home_of(uint64_t hash) const { return (hash >> 32) * num_homes >> 32; }
};

/// Returns the weight of a token, or unknown_weight.
[[nodiscard]] float idf_weight(const IdfTable& table, uint64_t hash);

/// Multiplies weights[i] by the weight of hashes[i], on the best instruction set of the machine.
void multiply_idf_weights(const IdfTable& table, std::span<const uint64_t> hashes, std::span<float> weights);

}  // namespace neardup::feature
