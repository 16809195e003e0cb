// A table: fingerprints grouped in buckets by a block of their bits.
#pragma once

#include <cstdint>
#include <span>

#include "neardup/base/context.h"
#include "neardup/base/large_array.h"
#include "neardup/fingerprint/value.h"
#include "neardup/join/bit_block.h"
#include "neardup/match/kernels.h"

namespace neardup::join {

/// Fingerprints grouped by block.bucket_of(); the order inside a bucket is not defined.
class Table {
 public:
  /// Takes `keys` by `block`; memory of an earlier build is used again.
  /// Cost: two passes of a radix partition over `keys` on `num_threads` threads. Errors: kCancelled.
  [[nodiscard]] Status build(std::span<const fingerprint::Fingerprint> keys, const BitBlock& block, int num_threads,
                             const Context& context);

  [[nodiscard]] match::Buckets buckets() const { return {keys_.data(), offsets_.data()}; }

 private:
  LargeArray<uint64_t> keys_;     // bucket by bucket, with kPadding behind
  LargeArray<uint32_t> offsets_;  // of each bucket, and the end
};

}  // namespace neardup::join
