// Radix partition: keys into the buckets of a block of bits.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "neardup/base/context.h"
#include "neardup/fingerprint/value.h"
#include "neardup/join/bit_block.h"

namespace neardup::join {

/// Where partition() writes. keys holds as many elements as the input, offsets num_buckets + 1.
struct PartitionTarget {
  fingerprint::Fingerprint* keys = nullptr;
  uint32_t* offsets = nullptr;
};

struct PartitionOptions {
  int num_threads = 1;
  Context context;
  /// Called once for each range of buckets when it is complete and still in cache; from several threads at once.
  std::function<Status(uint32_t begin, uint32_t end)> finish;
};

/// Writes `keys` to `target` grouped by block.bucket_of(key); bucket x is [offsets[x], offsets[x + 1]). The order
/// inside a bucket is not defined. Cost: each key is read twice and written twice (once where there are few). Memory:
/// partition_scratch_bytes() for each thread. Errors: kCancelled, what `finish` returns.
[[nodiscard]] Status partition(std::span<const fingerprint::Fingerprint> keys, const BitBlock& block,
                               const PartitionTarget& target, const PartitionOptions& options);

/// Returns an upper bound of what one thread of partition() takes beyond its target, for `size` keys.
[[nodiscard]] uint64_t partition_scratch_bytes(uint64_t size);

}  // namespace neardup::join
