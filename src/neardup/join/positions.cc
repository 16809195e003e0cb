// Few of a large set take part in pairs. So the set passes by once, in its order, and a filter of 16 bits a value,
// mostly small enough for a cache, turns away nearly all of it; only what passes is looked up among the sorted values.
// Each step works on a batch, so that waits for memory overlap (bench/DEAD_ENDS.md: 2 to 6 % at 10^8).
// Which position of a value comes first depends on the threads; all of them are given out.
#include "neardup/join/positions.h"

#include <atomic>
#include <bit>

#include "neardup/base/threads.h"

namespace neardup::join {

using fingerprint::Fingerprint;

namespace {

constexpr size_t kLookupBatch = 64;
constexpr size_t kChunk = size_t{1} << 16;
constexpr uint32_t kNoPosition = UINT32_MAX;

/// A set of values that knows for sure who is not in it: one bit for a value, sixteen times as many bits as values.
class Filter {
 public:
  explicit Filter(std::span<const Fingerprint> values) {
    const int bits = std::max(10, static_cast<int>(std::bit_width(values.size())) + 4);
    shift_ = 64 - bits;
    words_ = LargeArray<uint64_t>(size_t{1} << (bits - 6));
    std::fill_n(words_.data(), words_.size(), 0);
    for (const Fingerprint value : values) words_[slot(value) >> 6] |= uint64_t{1} << (slot(value) & 63);
  }
  // One multiplication spreads the low bits upwards; the filter may err on the side of letting through.
  [[nodiscard]] size_t slot(Fingerprint value) const { return ((value ^ value >> 32) * 0x9e3779b97f4a7c15) >> shift_; }
  void prefetch(size_t slot) const { __builtin_prefetch(words_.data() + (slot >> 6)); }
  [[nodiscard]] bool may_hold(size_t slot) const { return words_[slot >> 6] >> (slot & 63) & 1; }

 private:
  int shift_ = 0;
  LargeArray<uint64_t> words_;
};

}  // namespace

// One pass over the set. Each step works on a batch, so that the misses of its look-ups overlap.
class ValuePositions::Search {
 public:
  Search(ValuePositions& result, std::span<const Fingerprint> set, int num_threads)
      : result_(result), set_(set), filter_(result.values_.keys()), more_(static_cast<size_t>(num_threads)) {}

  void look(size_t begin, size_t end, int thread) {
    std::array<uint32_t, kLookupBatch> found{};
    for (size_t i = begin; i < end; i += kLookupBatch) {
      const size_t count = filter(i, std::min(end, i + kLookupBatch), found);
      for (size_t j = 0; j < count; ++j) result_.prefetch_first(set_[found[j]]);
      for (size_t j = 0; j < count; ++j) result_.prefetch_second(set_[found[j]]);
      for (size_t j = 0; j < count; ++j) take(found[j], more_[static_cast<size_t>(thread)]);
    }
  }

  std::vector<More> take_more() {
    std::vector<More> all;
    for (const auto& list : more_) all.insert(all.end(), list.begin(), list.end());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  size_t filter(size_t begin, size_t end, std::array<uint32_t, kLookupBatch>& found) const {
    std::array<size_t, kLookupBatch> slots{};
    for (size_t i = begin; i < end; ++i) {
      slots[i - begin] = filter_.slot(set_[i]);
      filter_.prefetch(slots[i - begin]);
    }
    size_t count = 0;
    for (size_t i = begin; i < end; ++i) {
      found[count] = static_cast<uint32_t>(i);
      count += filter_.may_hold(slots[i - begin]);  // without a branch: overwritten where it does not pass
    }
    return count;
  }

  void take(uint32_t position, std::vector<More>& more) {
    const Fingerprint value = set_[position];
    const size_t index = result_.values_.lower_bound(value);
    if (!result_.values_.holds(index, value)) return;
    // The first to come takes the place; the others are rare and go to a list of the thread.
    uint32_t none = kNoPosition;
    std::atomic_ref<uint32_t> first(result_.first_[index]);
    if (!first.compare_exchange_strong(none, position, std::memory_order_relaxed))
      more.push_back({static_cast<uint32_t>(index), position});
  }

  ValuePositions& result_;
  std::span<const Fingerprint> set_;
  Filter filter_;
  std::vector<std::vector<More>> more_;  // of each thread
};

Result<ValuePositions> ValuePositions::find(std::span<const Fingerprint> values, std::span<const Fingerprint> set,
                                            int num_threads, const Context& context) {
  ValuePositions result;
  NEARDUP_ASSIGN(result.values_, Distinct::build_fine(values, num_threads, context));
  result.first_ = LargeArray<uint32_t>(result.values_.size() + 16);
  std::fill_n(result.first_.data(), result.values_.size(), kNoPosition);
  Search search(result, set, num_threads);
  NEARDUP_TRY(parallel_for(num_threads, (set.size() + kChunk - 1) / kChunk, [&](size_t chunk, int thread) -> Status {
    NEARDUP_TRY(context.check_cancel());
    search.look(chunk * kChunk, std::min(set.size(), (chunk + 1) * kChunk), thread);
    return {};
  }));
  result.more_ = search.take_more();
  for (const More& more : result.more_) result.first_[more.index] |= kHasMore;
  return result;
}

}  // namespace neardup::join
