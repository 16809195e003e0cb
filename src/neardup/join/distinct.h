// The distinct fingerprints of a set, sorted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/large_array.h"
#include "neardup/fingerprint/value.h"
#include "neardup/join/bit_block.h"
#include "neardup/match/kernels.h"

namespace neardup::join {

/// A set of fingerprints with equal ones collapsed. Sorted, so it is also the table of any block of highest bits.
class Distinct {
 public:
  /// Buckets by the `prefix_bits` highest bits (0..26). Cost: one radix partition, then a sort of each bucket.
  /// Memory: 8 bytes for each fingerprint, and the buckets' offsets.
  [[nodiscard]] static Result<Distinct> build(std::span<const fingerprint::Fingerprint> set, int prefix_bits,
                                              int num_threads, const Context& context);
  /// The same with buckets of about four, so that a fingerprint is found at once.
  [[nodiscard]] static Result<Distinct> build_fine(std::span<const fingerprint::Fingerprint> set, int num_threads,
                                                   const Context& context);

  [[nodiscard]] std::span<const fingerprint::Fingerprint> keys() const { return {keys_.data(), size_}; }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] const BitBlock& block() const { return block_; }
  [[nodiscard]] match::Buckets buckets() const { return {keys_.data(), offsets_.data()}; }
  /// Returns those fingerprints that the set has more than once, each once, ascending.
  [[nodiscard]] const std::vector<fingerprint::Fingerprint>& repeated() const { return repeated_; }

  /// Returns the index of `key` in keys(), or where it would stand.
  [[nodiscard]] size_t lower_bound(fingerprint::Fingerprint key) const;
  [[nodiscard]] bool holds(size_t index, fingerprint::Fingerprint key) const {
    return index < size_ && keys_[index] == key;
  }
  /// Asks the memory for what lower_bound(key) will read: first the offset, some time later the bucket.
  void prefetch_offset(fingerprint::Fingerprint key) const {
    __builtin_prefetch(offsets_.data() + block_.bucket_of(key));
  }
  void prefetch_bucket(fingerprint::Fingerprint key) const {
    __builtin_prefetch(keys_.data() + offsets_[block_.bucket_of(key)]);
  }
  /// The first index of the bucket that a key belongs to, for prefetching what stands beside the keys.
  [[nodiscard]] size_t bucket_begin(fingerprint::Fingerprint key) const { return offsets_[block_.bucket_of(key)]; }

 private:
  void collapse();

  BitBlock block_;  // the highest bits: what buckets are by
  size_t size_ = 0;
  LargeArray<uint64_t> keys_;     // ascending, with kPadding behind
  LargeArray<uint32_t> offsets_;  // of each bucket, and the end
  std::vector<fingerprint::Fingerprint> repeated_;
};

}  // namespace neardup::join
