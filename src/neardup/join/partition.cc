// Two passes, for one pass to all buckets would write to more places than the caches have lines for. The first goes by
// a high digit through write-combining buffers and sees all of memory once; the second groups each digit's part by the
// rest, inside the cache.
// Invariants: after the first pass every key stands within the final range of its digit, so parts are independent and
// any thread takes any. Scratch is bounded whatever the skew: a part too large to be copied is grouped in place.
// Scratch stays with its thread: copying each part to fresh memory cost a third of all time in cleared pages
// (bench/DEAD_ENDS.md).
#include "neardup/join/partition.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "neardup/base/in_place.h"
#include "neardup/base/large_array.h"
#include "neardup/base/scatter.h"
#include "neardup/base/threads.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;

// So many keys fit in the second-level cache with their copy; so many digits fit with their write buffers.
constexpr int kCacheKeysLog2 = 15;
constexpr int kMaxFirstBits = 11;
// A part with more keys than this (many keys share their high bits) is grouped without a copy.
constexpr size_t kMaxCopiedKeys = size_t{1} << 18;

// One partition of keys into buckets: first by the high digit of the bucket number (all of memory, through write
// buffers), then inside each part by the low digit (in cache).
class Partitioner {
 public:
  Partitioner(std::span<const Fingerprint> keys, const BitBlock& block, const PartitionTarget& target,
              const PartitionOptions& options)
      : keys_(keys), block_(block), target_(target), options_(options) {
    const int size_log2 = static_cast<int>(std::bit_width(keys.size()));
    first_bits_ = std::clamp(size_log2 - kCacheKeysLog2, 0, std::min(block.num_bits(), kMaxFirstBits));
    low_bits_ = block.num_bits() - first_bits_;
  }

  Status run() {
    target_.offsets[0] = 0;
    target_.offsets[block_.num_buckets()] = static_cast<uint32_t>(keys_.size());
    if (first_bits_ == 0) return group_part(0, keys_.data(), 0, keys_.size());  // few keys: in cache already
    NEARDUP_TRY(count_digits());
    place_digits();
    NEARDUP_TRY(scatter_digits());
    scratch_.resize(num_chunks());
    return parallel_for(options_.num_threads, num_digits(), [&](size_t digit, int thread) {
      return group_digit(digit, scratch_[static_cast<size_t>(thread)]);
    });
  }

 private:
  [[nodiscard]] size_t num_digits() const { return size_t{1} << first_bits_; }
  [[nodiscard]] size_t num_chunks() const { return static_cast<size_t>(options_.num_threads); }
  [[nodiscard]] size_t chunk_begin(size_t chunk) const { return keys_.size() * chunk / num_chunks(); }
  [[nodiscard]] uint32_t digit_of(Fingerprint key) const { return block_.bucket_of(key) >> low_bits_; }

  // Calls body(begin, end) for slices of the chunk, looking at the cancel flag in between.
  template <class Body>
  Status for_slices(size_t chunk, const Body& body) {
    constexpr size_t kSlice = size_t{1} << 18;
    const size_t end = chunk_begin(chunk + 1);
    for (size_t i = chunk_begin(chunk); i < end; i += kSlice) {
      NEARDUP_TRY(options_.context.check_cancel());
      body(i, std::min(i + kSlice, end));
    }
    return {};
  }

  Status count_digits() {
    cursors_.assign(num_chunks(), std::vector<uint32_t>(num_digits()));
    return parallel_for(options_.num_threads, num_chunks(), [&](size_t chunk, int) -> Status {
      std::vector<uint32_t>& counts = cursors_[chunk];
      return for_slices(chunk, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) ++counts[digit_of(keys_[i])];
      });
    });
  }

  // Turns the counts into where each chunk writes its keys of each digit.
  void place_digits() {
    uint32_t total = 0;
    digit_begin_.resize(num_digits() + 1);
    for (size_t digit = 0; digit < num_digits(); ++digit) {
      digit_begin_[digit] = total;
      target_.offsets[digit << low_bits_] = total;
      for (auto& cursors : cursors_) total += std::exchange(cursors[digit], total);
    }
    digit_begin_.back() = total;
  }

  Status scatter_digits() {
    return parallel_for(options_.num_threads, num_chunks(), [&](size_t chunk, int) -> Status {
      Scatter<Fingerprint, NoPayload, uint32_t> scatter(target_.keys, nullptr, std::move(cursors_[chunk]));
      const auto push = [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) scatter.push(digit_of(keys_[i]), keys_[i]);
      };
      NEARDUP_TRY(for_slices(chunk, push));
      scatter.finish();
      return {};
    });
  }

  // Kept by each thread: fresh memory would have to be cleared by the system every time.
  using Scratch = LargeArray<Fingerprint>;

  // Groups the keys of one high digit, which stand at their final place, by the low digit, through a copy.
  Status group_digit(size_t digit, Scratch& scratch) {
    NEARDUP_TRY(options_.context.check_cancel());
    const size_t begin = digit_begin_[digit], size = digit_begin_[digit + 1] - begin;
    if (size > kMaxCopiedKeys) return group_part_in_place(digit, begin, size);
    scratch.grow(size);
    std::copy_n(target_.keys + begin, size, scratch.data());
    return group_part(digit, scratch.data(), begin, size);
  }

  [[nodiscard]] size_t num_low() const { return size_t{1} << low_bits_; }
  [[nodiscard]] uint32_t low_of(Fingerprint key) const {
    return block_.bucket_of(key) & static_cast<uint32_t>(num_low() - 1);
  }

  // Counts the low digits of a part, sets its offsets and returns where each low digit begins.
  std::vector<uint32_t> place_low(size_t digit, const Fingerprint* keys, size_t begin, size_t size) {
    uint32_t* offsets = target_.offsets + (digit << low_bits_);
    std::vector<uint32_t> next(num_low());
    for (size_t i = 0; i < size; ++i) ++next[low_of(keys[i])];
    uint32_t total = static_cast<uint32_t>(begin);
    // offsets[0] is set already: the thread of the part before may be reading it.
    for (size_t low = 0; low < num_low(); ++low) {
      if (low > 0) offsets[low] = total;
      total += std::exchange(next[low], total);
    }
    return next;
  }

  // Counting sort of `size` keys by the low digit to target[begin...).
  Status group_part(size_t digit, const Fingerprint* keys, size_t begin, size_t size) {
    std::vector<uint32_t> next = place_low(digit, keys, begin, size);
    for (size_t i = 0; i < size; ++i) target_.keys[next[low_of(keys[i])]++] = keys[i];
    return finish_part(digit);
  }

  Status group_part_in_place(size_t digit, size_t begin, size_t size) {
    std::vector<uint32_t> next = place_low(digit, target_.keys + begin, begin, size);
    std::vector<uint32_t> ends(next.begin() + 1, next.end());
    ends.push_back(static_cast<uint32_t>(begin + size));
    group_in_place<Fingerprint, NoPayload, uint32_t>(target_.keys, nullptr, next, ends,
                                                     [&](Fingerprint key) { return low_of(key); });
    return finish_part(digit);
  }

  Status finish_part(size_t digit) {
    if (!options_.finish) return {};
    const auto first = static_cast<uint32_t>(digit << low_bits_);
    return options_.finish(first, first + static_cast<uint32_t>(num_low()));
  }

  std::span<const Fingerprint> keys_;
  const BitBlock& block_;
  const PartitionTarget& target_;
  const PartitionOptions& options_;
  int first_bits_ = 0;                          // of the high digit; 0: all keys fit in cache, one pass does
  int low_bits_ = 0;                            // of a bucket's number, behind the high digit
  std::vector<std::vector<uint32_t>> cursors_;  // [chunk][digit]: its count, then where it writes next
  std::vector<uint32_t> digit_begin_;           // and the end of the last
  std::vector<Scratch> scratch_;                // [thread]
};

}  // namespace

uint64_t partition_scratch_bytes(uint64_t size) {
  constexpr uint64_t kWriteBuffers = (uint64_t{1} << kMaxFirstBits) * (16 * 8 + 8);
  constexpr uint64_t kLowDigits = uint64_t{1} << 17;  // two counters for up to 2^14 low digits
  const uint64_t copied = std::min<uint64_t>(size, kMaxCopiedKeys) * 8;
  return size < (uint64_t{1} << kCacheKeysLog2) ? 4 * size + kLowDigits : copied + kWriteBuffers + kLowDigits;
}

Status partition(std::span<const Fingerprint> keys, const BitBlock& block, const PartitionTarget& target,
                 const PartitionOptions& options) {
  return Partitioner(keys, block, target, options).run();
}

}  // namespace neardup::join
