// Two steps, each of which keeps to the caches: a scatter into parts by the highest bits of the block, through write
// buffers, and in each part a counting sort into buckets, from a copy.
// The rotation puts the bits of the block on top, so parts and buckets are shifts, and the low 32 bits are never part
// of a bucket's number. Low halves stand bucket by bucket, the high halves of the whole part behind them: the kernel
// reads the first, a hit the second.
// Invariants: a part of n fingerprints takes the 2n words that its n keys took, so a table is written over the keys it
// is made of, part by part. Within a bucket all fingerprints differ; it may end before the next one begins.
// Parts of very uneven size would not fit in cache: evenly_spread() says so beforehand, and the whole-fingerprint
// tables (solver.cc) take such sets.
#include "neardup/join/narrow_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>

#include "neardup/base/scatter.h"
#include "neardup/base/threads.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;
using match::NarrowBuckets;
using match::NarrowRange;

// So many fingerprints fit in the second-level cache with their copy; so many parts fit with their write buffers.
constexpr int kPartLog2 = 15;
constexpr int kMinPartBits = 6;  // enough parts to share among threads
constexpr int kMaxPartBits = 12;
// A part with more than both is not even.
constexpr uint64_t kMaxPart = uint64_t{1} << 20;
constexpr uint64_t kMaxShare = 16;

uint64_t allowed_part(uint64_t size, const NarrowCut& cut) {
  return std::max(kMaxPart, kMaxShare * (size >> (cut.bits - cut.low_bits)));
}

}  // namespace

// As many parts as make a part fit in cache; the bits that are left name buckets in it.
NarrowCut::NarrowCut(const JoinBlock& block, uint64_t num_fingerprints)
    : rotation(std::countl_zero(block.mask)), bits(std::popcount(block.mask)) {
  const int part_bits =
      std::clamp(static_cast<int>(std::bit_width(num_fingerprints)) - kPartLog2, kMinPartBits, kMaxPartBits);
  low_bits = bits - std::min(part_bits, bits);
}

Status Parts::build(std::span<const Fingerprint> set, const NarrowCut& cut, int num_threads, const Context& context) {
  constexpr size_t kSlice = size_t{1} << 18;
  const auto chunks = static_cast<size_t>(num_threads);
  const int shift = 64 - (cut.bits - cut.low_bits);
  std::vector<std::vector<uint32_t>> cursors(chunks, std::vector<uint32_t>(cut.num_parts()));
  const auto for_keys = [&](size_t chunk, const auto& body) -> Status {
    const size_t end = set.size() * (chunk + 1) / chunks;
    for (size_t i = set.size() * chunk / chunks; i < end;) {
      NEARDUP_TRY(context.check_cancel());
      for (const size_t stop = std::min(i + kSlice, end); i < stop; ++i) body(std::rotl(set[i], cut.rotation));
    }
    return {};
  };
  NEARDUP_TRY(parallel_for(num_threads, chunks, [&](size_t chunk, int) {
    uint32_t* counts = cursors[chunk].data();
    return for_keys(chunk, [&](uint64_t key) { ++counts[key >> shift]; });
  }));
  begins_.assign(1, 0);
  uint32_t total = 0;
  // Within a part each thread has a stretch of its own, so no counter is shared.
  for (size_t part = 0; part < cut.num_parts(); ++part) {
    for (auto& list : cursors) total += std::exchange(list[part], total);
    begins_.push_back(total);
  }
  keys_.grow(set.size() + match::kNarrowPadding);
  return parallel_for(num_threads, chunks, [&](size_t chunk, int) -> Status {
    Scatter<uint64_t, NoPayload, uint32_t> scatter(keys_.data(), nullptr, std::move(cursors[chunk]));
    NEARDUP_TRY(for_keys(chunk, [&](uint64_t key) { scatter.push(key >> shift, key); }));
    scatter.finish();
    return {};
  });
}

size_t Parts::largest() const {
  size_t largest = 0;
  for (size_t i = 0; i + 1 < begins_.size(); ++i) largest = std::max<size_t>(largest, begins_[i + 1] - begins_[i]);
  return largest;
}

// Parts alone are counted: they are what must fit. Uneven buckets in even parts are the solver's hot buckets.
bool evenly_spread(std::span<const Fingerprint> set, const JoinPlan& plan) {
  const size_t step = std::max<size_t>(1, set.size() >> 20);
  for (const JoinBlock& block : plan.blocks) {
    const NarrowCut cut(block, set.size());
    std::vector<uint32_t> counts(cut.num_parts());
    for (size_t i = 0; i < set.size(); i += step)
      ++counts[std::rotl(set[i], cut.rotation) >> (64 - (cut.bits - cut.low_bits))];
    if (*std::ranges::max_element(counts) > allowed_part(set.size(), cut) / step) return false;
  }
  return true;
}

namespace {

// The words of small buckets that were seen, in a table that is half full at most.
class SeenWords {
 public:
  static constexpr uint32_t kMost = 512;
  // Returns the place among `words` of one equal to words[i] in both halves; i itself if it is the first.
  uint32_t first_of(const uint32_t* words, uint32_t size, uint32_t begin, uint32_t i) {
    uint32_t slot = words[i] * 0x9e3779b1U >> (32 - kBits);
    for (; slots_[slot] != 0; slot = (slot + 1) % (1 << kBits)) {
      const uint32_t other = begin + slots_[slot] - 1;
      if (words[other] == words[i] && words[size_t{other} + size] == words[size_t{i} + size]) return other;
    }
    slots_[slot] = static_cast<uint16_t>(i - begin + 1);
    return i;
  }

 private:
  static constexpr int kBits = 10;
  std::array<uint16_t, size_t{1} << kBits> slots_{};  // place in the bucket and one more; 0: free
};

// Leaves one of equal fingerprints in a bucket, and tells of those that go.
void collapse_small(uint32_t size, const NarrowCut& cut, uint32_t* words, NarrowRange& range, Repeated& repeated) {
  SeenWords seen;
  uint32_t write = range.begin;
  for (uint32_t i = range.begin; i < range.end; ++i) {
    words[write] = words[i];
    words[size_t{write} + size] = words[size_t{i} + size];
    if (seen.first_of(words, size, range.begin, write) == write) {
      ++write;
    } else {
      repeated.push_back(std::rotr(uint64_t{words[size_t{write} + size]} << 32 | words[write], cut.rotation));
    }
  }
  range.end = write;
}

// The same by sorting, for buckets where the small table would overflow.
void collapse_large(uint32_t size, const NarrowCut& cut, uint32_t* words, NarrowRange& range, Repeated& repeated) {
  std::vector<uint64_t> keys;
  for (uint32_t i = range.begin; i < range.end; ++i) keys.push_back(uint64_t{words[size_t{i} + size]} << 32 | words[i]);
  std::ranges::sort(keys);
  uint32_t write = range.begin;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i] == keys[i - 1]) {
      repeated.push_back(std::rotr(keys[i], cut.rotation));
      continue;
    }
    words[write] = static_cast<uint32_t>(keys[i]);
    words[size_t{write} + size] = static_cast<uint32_t>(keys[i] >> 32);
    ++write;
  }
  range.end = write;
}

// Leaves one of equal fingerprints in a bucket, and names those that there are more of, once.
void collapse(uint32_t size, const NarrowCut& cut, uint32_t* words, NarrowRange& range, Repeated& repeated) {
  const auto named = static_cast<std::ptrdiff_t>(repeated.size());
  if (range.size() <= SeenWords::kMost) {
    collapse_small(size, cut, words, range, repeated);
  } else {
    collapse_large(size, cut, words, range, repeated);
  }
  std::sort(repeated.begin() + named, repeated.end());
  repeated.erase(std::unique(repeated.begin() + named, repeated.end()), repeated.end());
}

}  // namespace

void group_part(std::span<const uint64_t> keys, const NarrowCut& cut, uint32_t begin, uint32_t* words,
                NarrowRange* ranges, Repeated& repeated) {
  const int shift = 64 - cut.bits;
  const uint32_t last = cut.part_buckets() - 1;
  const auto bucket_of = [&](uint64_t key) { return static_cast<uint32_t>(key >> shift) & last; };
  const auto size = static_cast<uint32_t>(keys.size());
  std::fill_n(ranges, cut.part_buckets(), NarrowRange{});
  for (const uint64_t key : keys) ++ranges[bucket_of(key)].end;
  for (uint32_t x = 0, total = begin; x <= last; ++x) {
    const uint32_t count = ranges[x].end;
    ranges[x] = {total, total};
    total += count;
  }
  for (const uint64_t key : keys) {
    const uint32_t at = ranges[bucket_of(key)].end++;
    words[at] = static_cast<uint32_t>(key);
    words[size_t{at} + size] = static_cast<uint32_t>(key >> 32);
  }
  // Equal fingerprints have equal low halves: the kernel names the few buckets that have such, the others are left
  // alone.
  for (uint32_t x = 0; (x = match::next_with_equal_words(words, ranges, x, last + 1)) <= last; ++x)
    collapse(size, cut, words, ranges[x], repeated);
}

void PassingPart::build(std::span<const uint64_t> keys, const NarrowCut& cut, Repeated& repeated) {
  words_.grow(2 * keys.size() + match::kNarrowPadding);
  ranges_.grow(cut.part_buckets());
  distance_to_high_ = static_cast<uint32_t>(keys.size());
  low_bits_ = cut.low_bits;
  rotation_ = cut.rotation;
  group_part(keys, cut, 0, words_.data(), ranges_.data(), repeated);
}

NarrowBuckets PassingPart::buckets() const {
  return {words_.data(), ranges_.data(), &distance_to_high_, low_bits_, rotation_};
}

Status NarrowTable::build(std::span<const Fingerprint> set, const NarrowCut& cut, int num_threads, Repeated& repeated,
                          const Context& context) {
  NEARDUP_TRY(parts_.build(set, cut, num_threads, context));
  low_bits_ = cut.low_bits;
  rotation_ = cut.rotation;
  ranges_.grow(size_t{1} << cut.bits);
  distances_to_high_.resize(cut.num_parts());
  std::vector<LargeArray<uint64_t>> copies(static_cast<size_t>(num_threads));
  std::mutex mutex;
  auto* words = reinterpret_cast<uint32_t*>(parts_.keys());
  return parallel_for(num_threads, cut.num_parts(), [&](size_t i, int thread) -> Status {
    NEARDUP_TRY(context.check_cancel());
    const auto part = parts_.part(i);
    LargeArray<uint64_t>& copy = copies[static_cast<size_t>(thread)];
    copy.grow(part.size());
    std::copy(part.begin(), part.end(), copy.data());
    distances_to_high_[i] = static_cast<uint32_t>(part.size());
    Repeated found;
    // Two words stand where a key stood, so word 2 i is where key i was.
    group_part({copy.data(), part.size()}, cut, 2 * parts_.begin(i), words, ranges_.data() + (i << cut.low_bits),
               found);
    const std::lock_guard lock(mutex);
    repeated.insert(repeated.end(), found.begin(), found.end());
    return {};
  });
}

NarrowBuckets NarrowTable::buckets() const {
  const auto* words = reinterpret_cast<const uint32_t*>(const_cast<NarrowTable*>(this)->parts_.keys());
  return {words, ranges_.data(), distances_to_high_.data(), low_bits_, rotation_};
}

uint64_t narrow_scratch_bytes(uint64_t num_fingerprints) {
  const uint64_t part = std::max(kMaxPart, kMaxShare * (num_fingerprints >> kMaxPartBits));
  constexpr uint64_t kWriteBuffers = (uint64_t{1} << kMaxPartBits) * (16 * 8 + 8);
  // A part's copy, its buckets, and two hot buckets taken out of it.
  return kWriteBuffers + 4 * 8 * std::min(num_fingerprints, part);
}

}  // namespace neardup::join
