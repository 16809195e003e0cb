#include "neardup/engine/online/passage_holders.h"

#include <algorithm>
#include <utility>

#include "neardup/base/undo.h"

namespace neardup::engine {
namespace {

/// What malloc() takes for this list: 8 bytes beside it, a multiple of 16, 32 at least.
uint64_t list_bytes(const std::vector<uint32_t>& list) {
  if (list.capacity() == 0) return 0;
  return std::max<uint64_t>(32, (list.capacity() * sizeof(uint32_t) + 8 + 15) / 16 * 16);
}

}  // namespace

size_t PassageHolders::place_of(uint64_t hash) const {
  size_t place = hash & (slots_.size() - 1);
  while (slots_[place].value != kFree && slots_[place].hash != hash) place = (place + 1) & (slots_.size() - 1);
  return place;
}

PassageHolders::Holders PassageHolders::of(uint64_t hash) const {
  const uint32_t& value = slots_[place_of(hash)].value;
  if (value == kFree) return {};
  if (value == kCommon) return {.is_common = true};
  if ((value & kIsList) != 0) return {.numbers = lists_[value & ~kIsList]};
  return {.numbers = {&value, 1}};
}

// All that may be refused comes first: none of it changes what is known.
void PassageHolders::add(std::span<const uint64_t> hashes, uint32_t number) {
  uint64_t num_new = 0;
  for (const uint64_t hash : hashes) {
    Slot& slot = slots_[place_of(hash)];
    num_new += slot.value == kFree ? 1 : 0;
    make_room(slot);
  }
  while ((num_used_ + num_new) * 4 > slots_.size() * 3) grow();
  for (const uint64_t hash : hashes) add_one(slots_[place_of(hash)], hash, number);
}

void PassageHolders::make_room(Slot& slot) {
  if (slot.value == kFree || slot.value == kCommon) return;
  if ((slot.value & kIsList) == 0) make_list(slot);
  std::vector<uint32_t>& numbers = lists_[slot.value & ~kIsList];
  if (numbers.size() < numbers.capacity()) return;
  const uint64_t before = list_bytes(numbers);
  numbers.reserve(2 * numbers.size());
  list_bytes_ += list_bytes(numbers) - before;
}

// Of the one number that the slot has. There is room for each list among the free ones.
void PassageHolders::make_list(Slot& slot) {
  if (free_lists_.empty()) {
    lists_.emplace_back();
    Undo undo([&] { lists_.pop_back(); });
    free_lists_.reserve(lists_.capacity());
    undo.keep();
    free_lists_.push_back(static_cast<uint32_t>(lists_.size() - 1));
  }
  const uint32_t list = free_lists_.back();
  lists_[list].push_back(slot.value);
  free_lists_.pop_back();
  list_bytes_ += list_bytes(lists_[list]);
  slot.value = kIsList | list;
}

void PassageHolders::add_one(Slot& slot, uint64_t hash, uint32_t number) noexcept {
  if (slot.value == kCommon) return;
  if (slot.value != kFree) return add_to_list(slot, number);
  slot = {hash, most_ > 1 ? number : kCommon};
  ++num_used_;
}

void PassageHolders::add_to_list(Slot& slot, uint32_t number) noexcept {
  std::vector<uint32_t>& numbers = lists_[slot.value & ~kIsList];
  numbers.push_back(number);
  if (numbers.size() < most_) return;
  list_bytes_ -= list_bytes(numbers);
  std::vector<uint32_t>().swap(numbers);  // = {} would keep its memory
  free_lists_.push_back(slot.value & ~kIsList);
  slot.value = kCommon;
}

void PassageHolders::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const std::vector<Slot> old = std::exchange(slots_, std::move(larger));
  for (const Slot& slot : old)
    if (slot.value != kFree) slots_[place_of(slot.hash)] = slot;
}

uint64_t PassageHolders::size_bytes() const {
  return slots_.size() * sizeof(Slot) + lists_.capacity() * sizeof(std::vector<uint32_t>) + list_bytes_ +
         free_lists_.capacity() * sizeof(uint32_t);
}

}  // namespace neardup::engine
