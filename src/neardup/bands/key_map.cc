// An entry is written, then the head of its chain, then the counter; a reader takes the counter once and passes over
// whatever is younger: release and acquire on both make what it counts whole.
#include "neardup/bands/key_map.h"

#include <algorithm>
#include <bit>

namespace neardup::bands {
namespace {

constexpr int kLeastSlotBits = 6;

}  // namespace

KeyMap::KeyMap(uint32_t capacity)
    : capacity_(capacity),
      slot_bits_(std::max(kLeastSlotBits, static_cast<int>(std::bit_width(capacity - 1)))),
      heads_(LargeArray<uint32_t>::zeros(size_t{1} << slot_bits_)),
      entries_(capacity) {}

void KeyMap::add(uint64_t key, uint32_t number) {
  const uint32_t entry = size_.load(std::memory_order_relaxed);  // only this thread writes it
  const std::atomic_ref<uint32_t> head = this->head(key);
  entries_[entry] = {key, number, head.load(std::memory_order_relaxed)};
  head.store(entry + 1, std::memory_order_release);
  size_.store(entry + 1, std::memory_order_release);
}

void KeyMap::find(uint64_t key, uint32_t from, uint32_t to, std::vector<uint32_t>& found) const {
  uint32_t at = head(key).load(std::memory_order_acquire);
  for (; at > from; at = entries_[at - 1].next) {
    const Entry& entry = entries_[at - 1];
    if (at <= to && known_bits(entry.key) == known_bits(key)) found.push_back(entry.number);
  }
}

std::vector<KeyEntry> KeyMap::sorted() const {
  std::vector<KeyEntry> sorted;
  const uint32_t count = size();
  sorted.reserve(count);
  for (uint32_t i = 0; i < count; ++i) sorted.push_back({known_bits(entries_[i].key), entries_[i].number});
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

uint64_t KeyMap::size_bytes() const {
  return (uint64_t{1} << slot_bits_) * sizeof(uint32_t) + uint64_t{size()} * sizeof(Entry);
}

}  // namespace neardup::bands
