// Which of a text's tokens are new is anyone's guess, so nothing branches on it: a bucket of the table is compared at
// once, the value is written in any case, and stays if it was new. Values that were chosen to meet end the loop after
// 64 buckets; the caller then sorts, which bounds the cost whatever the text.
#include "neardup/feature/distinct_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/feature/distinct_kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::feature {
namespace HWY_NAMESPACE {

constexpr size_t kPrefetchSlots = size_t{1} << 15;  // larger tables do not fit the nearest caches
constexpr size_t kPrefetchAhead = 16;
constexpr size_t kMaxBuckets = 64;  // that are looked at for a value: a table half full of chance needs a few

/// Returns the slot that holds `value`, else the empty one where it belongs, else kGaveUp: then the values were chosen
/// to meet. One comparison covers a bucket, and few buckets are ever full: so no branch has to be foreseen that depends
/// on what is in the table.
HWY_INLINE size_t find_slot(const TableView& table, uint64_t value) {
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<uint64_t, TableView::kBucketSlots> d;
  const auto wanted = hn::Set(d, value);
  size_t bucket = value >> table.shift;
  for (size_t i = 0; i < kMaxBuckets; ++i, bucket = (bucket + 1) & table.bucket_mask) {
    const size_t first = bucket * TableView::kBucketSlots;
    const auto keys = hn::Load(d, table.keys + first);
    const auto place = hn::FindFirstTrue(d, hn::Or(hn::Eq(keys, wanted), hn::Eq(keys, hn::Zero(d))));
    if (place >= 0) [[likely]]
      return first + static_cast<size_t>(place);
  }
  return kGaveUp;
#else
  const size_t slot_mask = table.bucket_mask * TableView::kBucketSlots + TableView::kBucketSlots - 1;
  size_t slot = (value >> table.shift) * TableView::kBucketSlots + (value & (TableView::kBucketSlots - 1));
  for (size_t i = 0; i < kMaxBuckets * TableView::kBucketSlots; ++i, slot = (slot + 1) & slot_mask) {
    if ((table.keys[slot] == 0) | (table.keys[slot] == value)) return slot;
  }
  return kGaveUp;
#endif
}

template <bool kPrefetch>
HWY_INLINE void prefetch_ahead(const TableView& table, const uint64_t* values, size_t i, size_t num_values) {
  if (!kPrefetch || i + kPrefetchAhead >= num_values) return;
  const size_t bucket = values[i + kPrefetchAhead] >> table.shift;
  __builtin_prefetch(table.keys + bucket * TableView::kBucketSlots, 1);
}

/// Puts `value` in its slot, or in `unused` where it is there already: a bucket is read in one piece, which would have
/// to wait for a write to a part of it, and frequent words come back soon. Returns whether it is new.
HWY_INLINE bool insert(const TableView& table, size_t slot, uint64_t value, uint64_t* unused) {
  const bool is_new = table.keys[slot] == 0;
  *(is_new ? table.keys + slot : unused) = value;
  return is_new;
}

template <bool kPrefetch>
size_t distinct_loop(const TableView table, const uint64_t* values, size_t num_values, uint64_t* out) {
  size_t size = 0;
  uint64_t unused = 0;
  bool seen_zero = false;
  for (size_t i = 0; i < num_values; ++i) {
    prefetch_ahead<kPrefetch>(table, values, i, num_values);
    const uint64_t value = values[i];
    // Whether a value is new is hard to foresee: it is written in any case, and stays if it was new.
    out[size] = value;
    if (value == 0) [[unlikely]] {  // marks an empty slot
      size += !seen_zero;
      seen_zero = true;
      continue;
    }
    const size_t slot = find_slot(table, value);
    if (slot == kGaveUp) [[unlikely]]
      return kGaveUp;
    size += insert(table, slot, value, &unused);
  }
  return size;
}

template <bool kPrefetch>
size_t count_loop(const TableView table, const uint64_t* values, size_t num_values, const CountMemory memory) {
  size_t size = 0;
  uint64_t unused = 0;
  uint32_t zeros = 0;
  for (size_t i = 0; i < num_values; ++i) {
    prefetch_ahead<kPrefetch>(table, values, i, num_values);
    const uint64_t value = values[i];
    if (value == 0) [[unlikely]] {
      ++zeros;
      continue;
    }
    const size_t slot = find_slot(table, value);
    if (slot == kGaveUp) [[unlikely]]
      return kGaveUp;
    ++memory.slot_counts[slot];
    memory.out[size] = value;
    memory.counts[size] = static_cast<uint32_t>(slot);
    size += insert(table, slot, value, &unused);
  }
  for (size_t i = 0; i < size; ++i) memory.counts[i] = memory.slot_counts[memory.counts[i]];
  if (zeros > 0) {
    memory.out[size] = 0;
    memory.counts[size++] = zeros;
  }
  return size;
}

bool is_large(const TableView& table) { return table.bucket_mask * TableView::kBucketSlots >= kPrefetchSlots; }

size_t distinct(const TableView& table, const uint64_t* values, size_t num_values, uint64_t* out) {
  const auto loop = is_large(table) ? &distinct_loop<true> : &distinct_loop<false>;
  return loop(table, values, num_values, out);
}

size_t count(const TableView& table, const uint64_t* values, size_t num_values, const CountMemory& memory) {
  const auto loop = is_large(table) ? &count_loop<true> : &count_loop<false>;
  return loop(table, values, num_values, memory);
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::feature
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::feature {
namespace {

HWY_EXPORT(distinct);
HWY_EXPORT(count);

}  // namespace

size_t distinct_values(const TableView& table, const uint64_t* values, size_t num_values, uint64_t* out) {
  return HWY_DYNAMIC_DISPATCH(distinct)(table, values, num_values, out);
}

size_t count_values(const TableView& table, const uint64_t* values, size_t num_values, const CountMemory& memory) {
  return HWY_DYNAMIC_DISPATCH(count)(table, values, num_values, memory);
}

}  // namespace neardup::feature

#endif  // HWY_ONCE
