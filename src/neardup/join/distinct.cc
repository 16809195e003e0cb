#include "neardup/join/distinct.h"

#include <algorithm>
#include <atomic>

#include "neardup/join/in_place.h"
#include "neardup/join/partition.h"

namespace neardup::join {

using fingerprint::Fingerprint;

Result<Distinct> Distinct::build(std::span<const Fingerprint> set, int prefix_bits, int num_threads,
                                 const Context& context) {
  Distinct result;
  result.block_ = BitBlock(highest_bits(~uint64_t{0}, prefix_bits));
  result.keys_ = Buffer<uint64_t>(set.size() + hamming::kPadding);
  result.positions_ = Buffer<uint32_t>(set.size());
  result.offsets_ = Buffer<uint32_t>(size_t{result.block_.num_buckets()} + 1);
  std::atomic<size_t> num_equal = 0;
  const PartitionTarget target{result.keys_.data(), result.positions_.data(), result.offsets_.data()};
  const auto finish = [&](uint32_t begin, uint32_t end) {
    for (uint32_t bucket = begin; bucket < end; ++bucket) result.sort_bucket(bucket);
    num_equal += result.count_equal(begin, end);
    return Status();
  };
  NEARDUP_TRY(partition(set, result.block_, target, {num_threads, context, finish}));
  result.collapse(set.size(), num_equal);
  return result;
}

void Distinct::sort_bucket(uint32_t bucket) {
  const size_t begin = offsets_[bucket], size = offsets_[bucket + 1] - begin;
  sort_in_place(keys_.data() + begin, positions_.data() + begin, size);
}

// Equal keys share a bucket, so each range of buckets counts for itself.
size_t Distinct::count_equal(uint32_t begin, uint32_t end) const {
  size_t count = 0;
  for (size_t i = size_t{offsets_[begin]} + 1; i < offsets_[end]; ++i) count += keys_[i] == keys_[i - 1];
  return count;
}

void Distinct::collapse(size_t set_size, size_t num_equal) {
  size_ = set_size - num_equal;
  if (num_equal > 0) {
    starts_ = Buffer<uint32_t>(size_ + 1);
    uint32_t read = 0, write = 0;
    for (uint32_t bucket = 0; bucket < block_.num_buckets(); ++bucket) {
      const uint32_t first = write;
      for (; read < offsets_[bucket + 1]; ++read) {
        if (write > 0 && keys_[write - 1] == keys_[read]) continue;
        starts_[write] = read;
        keys_[write++] = keys_[read];
      }
      offsets_[bucket] = first;
    }
    offsets_[block_.num_buckets()] = write;
    starts_[size_] = static_cast<uint32_t>(set_size);
  }
  std::fill_n(keys_.data() + size_, hamming::kPadding, 0);
}

size_t Distinct::index_of(Fingerprint key) const {
  const auto bucket = buckets()[block_.bucket_of(key)];
  return static_cast<size_t>(std::lower_bound(bucket.begin(), bucket.end(), key) - bucket.begin()) +
         static_cast<size_t>(bucket.data() - keys_.data());
}

}  // namespace neardup::join
