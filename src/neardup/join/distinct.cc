// Sorting is a radix partition into buckets and a sort of each while it is in cache, by the thread that has just
// grouped it. Equal keys share a bucket, so whether there are any is seen in passing, and only then a pass closes the
// gaps. The offsets stay: so the sorted set is a table as well, and a look-up begins in the right bucket.
#include "neardup/join/distinct.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "neardup/base/in_place.h"
#include "neardup/join/partition.h"

namespace neardup::join {

using fingerprint::Fingerprint;

Result<Distinct> Distinct::build(std::span<const Fingerprint> set, int prefix_bits, int num_threads,
                                 const Context& context) {
  Distinct result;
  result.block_ = BitBlock(highest_bits(~uint64_t{0}, prefix_bits));
  result.keys_ = LargeArray<uint64_t>(set.size() + match::kPadding);
  result.offsets_ = LargeArray<uint32_t>(size_t{result.block_.num_buckets()} + 1);
  std::atomic<bool> any_equal = false;
  const PartitionTarget target{result.keys_.data(), result.offsets_.data()};
  const auto finish = [&](uint32_t begin, uint32_t end) {
    uint64_t* keys = result.keys_.data();
    const uint32_t* offsets = result.offsets_.data();
    for (uint32_t x = begin; x < end; ++x) sort_in_place(keys + offsets[x], offsets[x + 1] - offsets[x]);
    // Equal keys share a bucket, so each range of buckets looks for itself.
    if (std::adjacent_find(keys + offsets[begin], keys + offsets[end]) != keys + offsets[end]) any_equal = true;
    return Status();
  };
  NEARDUP_TRY(partition(set, result.block_, target, {num_threads, context, finish}));
  result.size_ = set.size();
  if (any_equal) result.collapse();
  std::fill_n(result.keys_.data() + result.size_, match::kPadding, 0);
  return result;
}

Result<Distinct> Distinct::build_fine(std::span<const Fingerprint> set, int num_threads, const Context& context) {
  return build(set, std::clamp(static_cast<int>(std::bit_width(set.size())) - 2, 0, 26), num_threads, context);
}

void Distinct::collapse() {
  uint32_t read = 0, write = 0;
  for (uint32_t bucket = 0; bucket < block_.num_buckets(); ++bucket) {
    const uint32_t first = write;
    for (; read < offsets_[bucket + 1]; ++read) {
      const uint64_t key = keys_[read];
      if (write == 0 || keys_[write - 1] != key) {
        keys_[write++] = key;
      } else if (repeated_.empty() || repeated_.back() != key) {
        repeated_.push_back(key);
      }
    }
    offsets_[bucket] = first;
  }
  offsets_[block_.num_buckets()] = write;
  size_ = write;
}

size_t Distinct::lower_bound(Fingerprint key) const {
  const auto bucket = buckets()[block_.bucket_of(key)];
  return static_cast<size_t>(std::lower_bound(bucket.begin(), bucket.end(), key) - bucket.begin()) +
         static_cast<size_t>(bucket.data() - keys_.data());
}

}  // namespace neardup::join
