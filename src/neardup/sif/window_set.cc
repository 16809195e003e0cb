#include "neardup/sif/window_set.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace neardup::sif {
namespace {

constexpr int kMaxPlaces = 64;

constexpr int kMarkBits = 3;  // 8 marks for each slot

size_t slot_of(uint32_t hash, int shift) { return (hash * uint64_t{0x9e3779b97f4a7c15}) >> shift; }

}  // namespace

void WindowSet::hash_text(std::string_view text, LookupScratch& scratch) const {
  const size_t count = text.size() < length_ ? 0 : text.size() - length_ + 1;
  scratch.hashes.resize(count + kKernelPadding);
  if (count > 0)
    hash_windows(reinterpret_cast<const uint8_t*>(text.data()), count, length_, scratch.hash, scratch.hashes.data());
}

void WindowSet::assign(std::string_view text, size_t length) {
  text_ = text;
  length_ = length;
  num_distinct_ = 0;
  hash_text(text, own_);
  const size_t count = text.size() < length ? 0 : text.size() - length + 1;
  const int bits = std::max(4, static_cast<int>(std::bit_width(2 * count)));
  shift_ = 64 - bits;
  slots_.assign(size_t{1} << bits, Slot{kNone, 0});
  marks_.assign(size_t{1} << (bits + kMarkBits), false);
  first_.resize(count);
  next_.assign(count, kNone);
  last_.resize(count);
  for (uint32_t i = 0; i < count; ++i) insert(i, own_.hashes[i]);
}

void WindowSet::insert(uint32_t position, uint32_t hash) {
  const size_t mask = slots_.size() - 1;
  for (size_t i = slot_of(hash, shift_);; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.position == kNone) {
      slot = {position, hash};
      marks_[slot_of(hash, shift_ - kMarkBits)] = true;
      first_[position] = last_[position] = position;
      ++num_distinct_;
      return;
    }
    if (slot.hash != hash || !equal(slot.position, text_, position)) continue;
    first_[position] = slot.position;
    next_[last_[slot.position]] = position;
    last_[slot.position] = position;
    return;
  }
}

bool WindowSet::equal(uint32_t position, std::string_view other, size_t at) const {
  return std::memcmp(text_.data() + position, other.data() + at, length_) == 0;
}

uint32_t WindowSet::find(uint32_t hash, std::string_view other, size_t at) const {
  if (!marks_[slot_of(hash, shift_ - kMarkBits)]) return kNone;  // mostly: marks lie in a nearer cache than slots
  const size_t mask = slots_.size() - 1;
  for (size_t i = slot_of(hash, shift_);; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.position == kNone) return kNone;
    if (slot.hash == hash && equal(slot.position, other, at)) return slot.position;
  }
}

uint64_t WindowSet::count_shared(std::string_view other, LookupScratch& scratch) const {
  if (first_.empty() || other.size() < length_) return 0;
  hash_text(other, scratch);
  scratch.seen.assign(first_.size(), false);
  uint64_t count = 0;
  uint32_t at = kNone;  // where in the text the window before stood
  for (size_t i = 0; i + length_ <= other.size(); ++i) {
    // Behind a shared window comes a shared one if one more byte is equal.
    const bool goes_on = at != kNone && at + length_ < text_.size() && text_[at + length_] == other[i + length_ - 1];
    at = goes_on ? at + 1 : find(scratch.hashes[i], other, i);
    if (at == kNone || scratch.seen[first_[at]]) continue;
    scratch.seen[first_[at]] = true;
    ++count;
  }
  return count;
}

Passage WindowSet::longest_at(uint32_t first, std::string_view other, size_t at) const {
  Passage best{0, at, 0};
  uint32_t place = first;
  for (int tried = 0; place != kNone && tried < kMaxPlaces; ++tried, place = next_[place]) {
    const size_t most = std::min(text_.size() - place, other.size() - at);
    size_t size = length_;
    while (size < most && text_[place + size] == other[at + size]) ++size;
    if (size > best.size_bytes) best = {place, at, size};
  }
  return best;
}

std::vector<Passage> WindowSet::passages(std::string_view other, LookupScratch& scratch) const {
  std::vector<Passage> found;
  if (first_.empty() || other.size() < length_) return found;
  hash_text(other, scratch);
  for (size_t i = 0; i + length_ <= other.size();) {
    const uint32_t place = find(scratch.hashes[i], other, i);
    if (place == kNone) {
      ++i;
      continue;
    }
    found.push_back(longest_at(place, other, i));
    i += found.back().size_bytes;
  }
  return found;
}

}  // namespace neardup::sif
