// The distinct fingerprints of a set, sorted, and where each stands in the set.
#pragma once

#include <cstdint>
#include <span>

#include "neardup/base/context.h"
#include "neardup/hamming/match.h"
#include "neardup/join/bit_block.h"
#include "neardup/join/buffer.h"

namespace neardup::join {

/// A set of fingerprints with equal ones collapsed. Sorted, so it is also the table of any block of highest bits.
class Distinct {
 public:
  /// Buckets by the `prefix_bits` highest bits (0..26). Cost: one radix partition with positions, then a sort of each
  /// bucket. Memory: 12 bytes for each fingerprint, 4 more for each distinct one where some are equal.
  [[nodiscard]] static Result<Distinct> build(std::span<const fingerprint::Fingerprint> set, int prefix_bits,
                                              int num_threads, const Context& context);

  [[nodiscard]] std::span<const fingerprint::Fingerprint> keys() const { return {keys_.data(), size_}; }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] const BitBlock& block() const { return block_; }
  [[nodiscard]] hamming::Buckets buckets() const { return {keys_.data(), offsets_.data()}; }
  [[nodiscard]] bool has_equal() const { return starts_.size() > 0; }

  /// Returns the index of `key` in keys(). Requires: it is there.
  [[nodiscard]] size_t index_of(fingerprint::Fingerprint key) const;
  /// Asks the memory for what index_of(key) and positions() will read: first the offset, some time later the bucket.
  void prefetch_offset(fingerprint::Fingerprint key) const {
    __builtin_prefetch(offsets_.data() + block_.bucket_of(key));
  }
  void prefetch_bucket(fingerprint::Fingerprint key) const {
    const uint32_t begin = offsets_[block_.bucket_of(key)];
    __builtin_prefetch(keys_.data() + begin);
    __builtin_prefetch((has_equal() ? starts_ : positions_).data() + begin);
  }
  /// Returns the positions in the set of keys()[index], at least one.
  [[nodiscard]] std::span<const uint32_t> positions(size_t index) const {
    if (!has_equal()) return {positions_.data() + index, 1};
    return {positions_.data() + starts_[index], starts_[index + 1] - starts_[index]};
  }

 private:
  void sort_bucket(uint32_t bucket);
  [[nodiscard]] size_t count_equal(uint32_t begin, uint32_t end) const;
  void collapse(size_t set_size, size_t num_equal);

  BitBlock block_;
  size_t size_ = 0;
  Buffer<uint64_t> keys_;
  Buffer<uint32_t> positions_;
  Buffer<uint32_t> offsets_;
  Buffer<uint32_t> starts_;  // empty where all keys are distinct
};

}  // namespace neardup::join
