#include "neardup/sif/window_set.h"

#include <algorithm>
#include <cstring>

namespace neardup::sif {
namespace {

constexpr int kMaxPlaces = 64;
constexpr size_t kBlock = 4096;  // positions that are hashed together: their arrays stay in the first cache
constexpr size_t kAhead = 16;    // so many positions before it is looked at a slot is fetched

// Places have 32 bits behind the point, the first three of which tell the mark of a slot.
constexpr int kSlotShift = 32, kMarkShift = kSlotShift - 3;

// `size` elements, in no more memory than they take: an array that grows stands twice, and may be twice as large.
template <class T>
void resize_exactly(std::vector<T>& array, size_t size) {
  if (array.capacity() < size) {
    std::vector<T>().swap(array);
    array.reserve(size);
  }
  array.resize(size);
}

template <class T>
void fill_exactly(std::vector<T>& array, size_t size, T value) {
  if (array.capacity() < size) std::vector<T>().swap(array);
  array.assign(size, value);
}

size_t num_windows(std::string_view text, size_t length) { return text.size() < length ? 0 : text.size() - length + 1; }

}  // namespace

void WindowSet::hash_text(std::string_view text, WindowScratch& scratch) const {
  const size_t count = num_windows(text, length_);
  const size_t block = std::max(kBlock, 4 * length_);
  resize_exactly(scratch.hashes, count + kKernelPadding);
  for (size_t begin = 0; begin < count; begin += block)
    hash_windows(reinterpret_cast<const uint8_t*>(text.data()) + begin, std::min(block, count - begin), length_,
                 scratch.hash, scratch.hashes.data() + begin);
}

uint64_t WindowSet::place_of(uint32_t hash) const { return uint64_t{hash * 0x9e3779b1U} * slots_.size(); }

void WindowSet::assign(std::string_view text, size_t length, WindowScratch& scratch) {
  text_ = text;
  length_ = length;
  num_distinct_ = 0;
  hash_text(text, scratch);
  const size_t count = num_windows(text, length);
  fill_exactly(slots_, 2 * std::max<size_t>(count, 8), Slot{kNone, 0});
  fill_exactly(marks_, slots_.size() << (kSlotShift - kMarkShift), false);
  resize_exactly(first_, count);
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) __builtin_prefetch(&slots_[place_of(scratch.hashes[i + kAhead]) >> kSlotShift], 1);
    insert(static_cast<uint32_t>(i), scratch.hashes[i]);
  }
}

void WindowSet::insert(uint32_t position, uint32_t hash) {
  const uint64_t place = place_of(hash);
  for (size_t i = place >> kSlotShift;; i = i + 1 == slots_.size() ? 0 : i + 1) {
    Slot& slot = slots_[i];
    if (slot.position == kNone) {
      slot = {position, hash};
      marks_[place >> kMarkShift] = true;
      first_[position] = position;
      ++num_distinct_;
      return;
    }
    if (slot.hash != hash || !equal(slot.position, text_, position)) continue;
    first_[position] = slot.position;
    return;
  }
}

// Of each position the next one with the same substring.
void WindowSet::link_equal(WindowScratch& scratch) const {
  scratch.next.assign(first_.size(), kNone);
  scratch.last.resize(first_.size());
  for (uint32_t i = 0; i < first_.size(); ++i) {
    if (first_[i] != i) scratch.next[scratch.last[first_[i]]] = i;
    scratch.last[first_[i]] = i;
  }
}

bool WindowSet::equal(uint32_t position, std::string_view other, size_t at) const {
  return std::memcmp(text_.data() + position, other.data() + at, length_) == 0;
}

uint32_t WindowSet::find(uint32_t hash, std::string_view other, size_t at) const {
  const uint64_t place = place_of(hash);
  if (!marks_[place >> kMarkShift]) return kNone;  // mostly: marks lie in a nearer cache than slots
  for (size_t i = place >> kSlotShift;; i = i + 1 == slots_.size() ? 0 : i + 1) {
    const Slot& slot = slots_[i];
    if (slot.position == kNone) return kNone;
    if (slot.hash == hash && equal(slot.position, other, at)) return slot.position;
  }
}

uint64_t WindowSet::count_shared(std::string_view other, WindowScratch& scratch) const {
  if (first_.empty() || other.size() < length_) return 0;
  hash_text(other, scratch);
  if (scratch.seen.size() < first_.size()) fill_exactly(scratch.seen, first_.size(), false);
  resize_exactly(scratch.counted, std::min(first_.size(), num_windows(other, length_)));
  uint64_t count = 0;
  uint32_t at = kNone;  // where in the text the window before stood
  for (size_t i = 0; i + length_ <= other.size(); ++i) {
    // Behind a shared window comes a shared one if one more byte is equal.
    const bool goes_on = at != kNone && at + length_ < text_.size() && text_[at + length_] == other[i + length_ - 1];
    at = goes_on ? at + 1 : find(scratch.hashes[i], other, i);
    if (at == kNone || scratch.seen[first_[at]]) continue;
    scratch.seen[first_[at]] = true;
    scratch.counted[count++] = first_[at];
  }
  for (uint64_t i = 0; i < count; ++i) scratch.seen[scratch.counted[i]] = false;
  return count;
}

Passage WindowSet::longest_at(uint32_t first, std::string_view other, size_t at,
                              const std::vector<uint32_t>& next) const {
  Passage best{0, at, 0};
  uint32_t place = first;
  for (int tried = 0; place != kNone && tried < kMaxPlaces; ++tried, place = next[place]) {
    const size_t most = std::min(text_.size() - place, other.size() - at);
    size_t size = length_;
    while (size < most && text_[place + size] == other[at + size]) ++size;
    if (size > best.size_bytes) best = {place, at, size};
  }
  return best;
}

std::vector<Passage> WindowSet::passages(std::string_view other, WindowScratch& scratch) const {
  std::vector<Passage> found;
  if (first_.empty() || other.size() < length_) return found;
  link_equal(scratch);
  hash_text(other, scratch);
  for (size_t i = 0; i + length_ <= other.size();) {
    const uint32_t place = find(scratch.hashes[i], other, i);
    if (place == kNone) {
      ++i;
      continue;
    }
    found.push_back(longest_at(place, other, i, scratch.next));
    i += found.back().size_bytes;
  }
  return found;
}

}  // namespace neardup::sif
