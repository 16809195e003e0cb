// An entry is written, then the head of its chain, then the counter; a reader takes the counter once and passes over
// whatever is younger: release and acquire on both make what it counts whole.
#include "neardup/bands/key_map.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "neardup/base/radix_sort.h"

namespace neardup::bands {
namespace {

constexpr int kLeastSlotBits = 6;
constexpr int kHeadBits = 32;

uint32_t low_bits(uint32_t word, int count) { return word & ((uint32_t{1} << count) - 1); }

}  // namespace

KeyMap::KeyMap(uint32_t capacity)
    : capacity_(capacity),
      slot_bits_(std::max(kLeastSlotBits, static_cast<int>(std::bit_width(capacity - 1)))),
      entry_bits_(std::bit_width(capacity)),
      heads_(LargeArray<uint32_t>::zeros(size_t{1} << slot_bits_)),
      entries_(capacity) {}

// One of the bits that a head has left, by others than those that choose the slot.
uint32_t KeyMap::mark_of(uint64_t key) const {
  const auto num_marks = static_cast<uint64_t>(kHeadBits - entry_bits_);
  return uint32_t{1} << (static_cast<uint32_t>(entry_bits_) + (static_cast<uint32_t>(hash_of(key)) * num_marks >> 32));
}

void KeyMap::add(uint64_t key, uint32_t number) {
  const uint32_t entry = size_.load(std::memory_order_relaxed);  // only this thread writes it
  const std::atomic_ref<uint32_t> head = this->head(key);
  const uint32_t before = head.load(std::memory_order_relaxed);
  const uint32_t newest = low_bits(before, entry_bits_);
  entries_[entry] = {key, number, newest};
  head.store(((before ^ newest) | mark_of(key)) + entry + 1, std::memory_order_release);
  size_.store(entry + 1, std::memory_order_release);
}

void KeyMap::find(uint64_t key, uint32_t from, uint32_t to, std::vector<uint32_t>& found) const {
  const uint32_t head = this->head(key).load(std::memory_order_acquire);
  if ((head & mark_of(key)) == 0) return;
  for (uint32_t at = low_bits(head, entry_bits_); at > from; at = entries_[at - 1].next) {
    const Entry& entry = entries_[at - 1];
    if (at <= to && known_bits(entry.key) == known_bits(key)) found.push_back(entry.number);
  }
}

// As they stand they ascend by number, which sorting by keys alone keeps.
std::vector<KeyEntry> KeyMap::sorted() const {
  std::vector<KeyEntry> sorted;
  const uint32_t count = size();
  sorted.reserve(count);
  for (uint32_t i = 0; i < count; ++i) sorted.push_back({known_bits(entries_[i].key), entries_[i].number});
  LargeArray<KeyEntry> other(count);
  std::span<KeyEntry> from = sorted, to(other.data(), count);
  for (int shift = 0; shift < kKeyBits; shift += kRadixBits) {
    sort_by_digit(std::span<const KeyEntry>(from), to, shift, [](const KeyEntry& entry) { return entry.known; });
    std::swap(from, to);
  }
  static_assert((kKeyBits + kRadixBits - 1) / kRadixBits % 2 == 0, "the last pass ends where the first began");
  return sorted;
}

// Heads are memory once they are touched.
uint64_t KeyMap::size_bytes() const {
  if (size() == 0) return 0;
  return (uint64_t{1} << slot_bits_) * sizeof(uint32_t) + uint64_t{size()} * sizeof(Entry);
}

}  // namespace neardup::bands
