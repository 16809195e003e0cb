#include "neardup/engine/online/band_map.h"

#include <algorithm>
#include <span>
#include <utility>

namespace neardup::engine {

void BandMap::find(uint64_t hash, std::vector<uint32_t>& found, uint32_t most) const {
  const uint64_t slot = slots_[find_slot(hash)];
  if (slot == kFree) return;
  const auto value = static_cast<uint32_t>(slot);
  if ((value & kIsList) == 0) return found.push_back(value);
  const std::vector<uint32_t>& list = lists_[value & ~kIsList];
  const std::span<const uint32_t> first = std::span(list).first(std::min<size_t>(most, list.size()));
  found.insert(found.end(), first.begin(), first.end());
}

LargeArray<uint64_t> BandMap::free_slots(size_t count) {
  LargeArray<uint64_t> slots(count);
  std::fill_n(slots.data(), count, kFree);
  return slots;
}

uint64_t BandMap::find_slot(uint64_t hash) const {
  uint64_t place = place_of(hash);
  while (slots_[place] != kFree && half_of(slots_[place]) != half_of(hash)) place = (place + 1) & (slots_.size() - 1);
  return place;
}

void BandMap::add(uint64_t hash, uint32_t document, uint32_t most) {
  if ((num_used_ + 1) * 4 > slots_.size() * 3) grow();
  uint64_t& slot = slots_[find_slot(hash)];
  if (slot == kFree) {
    slot = uint64_t{half_of(hash)} << 32 | document;
    ++num_used_;
    return;
  }
  const auto value = static_cast<uint32_t>(slot);
  if ((value & kIsList) != 0) {
    std::vector<uint32_t>& list = lists_[value & ~kIsList];
    if (list.size() < most) list.push_back(document);
    return;
  }
  if (most == 1) return;
  lists_.push_back({value, document});
  slot = uint64_t{half_of(hash)} << 32 | kIsList | static_cast<uint32_t>(lists_.size() - 1);
}

// No other slot was looked for beyond one that was filled last; a list may well have one document.
void BandMap::take_back(uint64_t hash, uint32_t document) noexcept {
  uint64_t& slot = slots_[find_slot(hash)];
  const auto value = static_cast<uint32_t>(slot);
  if (value == document) {
    slot = kFree;
    --num_used_;
    return;
  }
  if ((value & kIsList) == 0) return;  // another one stands for all
  std::vector<uint32_t>& list = lists_[value & ~kIsList];
  if (!list.empty() && list.back() == document) list.pop_back();
}

void BandMap::grow() {
  LargeArray<uint64_t> larger = free_slots(slots_.size() * 2);
  const LargeArray<uint64_t> old = std::exchange(slots_, std::move(larger));
  --shift_;
  for (const uint64_t slot : std::span(old.data(), old.size()))
    if (slot != kFree) slots_[find_slot(slot)] = slot;
}

uint64_t BandMap::size_bytes() const {
  uint64_t sum = slots_.size() * sizeof(uint64_t) + lists_.size() * sizeof(std::vector<uint32_t>);
  for (const auto& list : lists_) sum += list.capacity() * sizeof(uint32_t);
  return sum;
}

}  // namespace neardup::engine
