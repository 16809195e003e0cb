#include "neardup/sif/window_set.h"

#include <algorithm>
#include <cstring>

#include "neardup/sif/polynomial.h"

namespace neardup::sif {
namespace {

constexpr int kMaxPlaces = 64;
constexpr size_t kHashedAtOnce = 4096;  // positions that are hashed together: their arrays stay in the first cache
constexpr size_t kAhead = 16;           // so many positions before it is looked at a slot is fetched

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

void hash_text(std::string_view text, size_t length, WindowScratch& scratch) {
  const size_t count = num_windows(text, length);
  const size_t block = std::max(kHashedAtOnce, 4 * length);
  resize_exactly(scratch.hashes, count + kKernelPadding);
  for (size_t begin = 0; begin < count; begin += block)
    hash_windows(reinterpret_cast<const uint8_t*>(text.data()) + begin, std::min(block, count - begin), length,
                 scratch.hash, scratch.hashes.data() + begin);
}

}  // namespace

void find_pieces(std::string_view text, size_t length, WindowScratch& scratch, Pieces& pieces) {
  const size_t count = num_windows(text, Pieces::size_bytes(length)), step = Pieces::step(length);
  hash_text(text, Pieces::size_bytes(length), scratch);
  resize_exactly(pieces.hashes, (count + step - 1) / step);
  for (size_t i = 0; i < pieces.hashes.size(); ++i) pieces.hashes[i] = scratch.hashes[i * step];
}

void WindowSet::assign(std::string_view text, size_t length, WindowScratch& scratch) {
  text_ = text;
  length_ = length;
  num_distinct_ = 0;
  const size_t count = num_windows(text, length);
  fill_exactly(slots_, 2 * std::max<size_t>(count, 8), Slot{kNone, 0});
  fill_exactly(marks_, slots_.size() / 4, uint64_t{0});
  resize_exactly(first_, count);
  hash_text(text, Pieces::size_bytes(length), scratch);
  for (size_t i = 0; i < num_windows(text, Pieces::size_bytes(length)); ++i) mark(scratch.hashes[i]);
  hash_text(text, length, scratch);
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) __builtin_prefetch(&slots_[slot_of(scratch.hashes[i + kAhead])], 1);
    insert(static_cast<uint32_t>(i), scratch.hashes[i]);
  }
}

// Of 32-bit fractions, which products spread evenly.
size_t WindowSet::slot_of(uint32_t hash) const { return uint64_t{hash * 0x9e3779b1U} * slots_.size() >> 32; }
WindowSet::Mark WindowSet::mark_of(uint32_t hash) const {
  const uint32_t other = hash * 0x85ebca6bU;
  return {uint64_t{hash * 0x9e3779b1U} * marks_.size() >> 32,
          uint64_t{1} << (other >> 26) | uint64_t{1} << (other >> 20 & 63)};
}
bool WindowSet::is_marked(uint32_t hash) const {
  const Mark mark = mark_of(hash);
  return (marks_[mark.word] & mark.bits) == mark.bits;
}
void WindowSet::mark(uint32_t hash) {
  const Mark mark = mark_of(hash);
  marks_[mark.word] |= mark.bits;
}

void WindowSet::insert(uint32_t position, uint32_t hash) {
  for (size_t i = slot_of(hash);; i = i + 1 == slots_.size() ? 0 : i + 1) {
    Slot& slot = slots_[i];
    if (slot.position == kNone) {
      slot = {position, hash};
      mark(hash);
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
  if (!is_marked(hash)) return kNone;  // mostly: marks lie in a nearer cache than slots
  for (size_t i = slot_of(hash);; i = i + 1 == slots_.size() ? 0 : i + 1) {
    const Slot& slot = slots_[i];
    if (slot.position == kNone) return kNone;
    if (slot.hash == hash && equal(slot.position, other, at)) return slot.position;
  }
}

// The first substring of `other` from there on that is in the set. All that hold a piece which is not are passed over.
WindowSet::Shared WindowSet::next_shared(std::string_view other, const Pieces& pieces, size_t from) const {
  const size_t count = num_windows(other, length_), step = Pieces::step(length_);
  while (from < count) {
    const size_t piece = (from + step - 1) / step;
    const size_t end = std::min(piece * step + 1, count);
    if (!is_marked(pieces.hashes[piece])) {
      from = end;
      continue;
    }
    for (RollingPolynomial rolling(other.substr(from, length_)); from < end; ++from) {
      if (const uint32_t position = find(rolling.value(), other, from); position != kNone) return {from, position};
      if (from + 1 < end) rolling.roll(other[from], other[from + length_]);
    }
  }
  return {count, kNone};
}

uint64_t WindowSet::count_shared(std::string_view other, const Pieces& pieces, WindowScratch& scratch) const {
  if (first_.empty() || other.size() < length_) return 0;
  if (scratch.seen.size() < first_.size()) fill_exactly(scratch.seen, first_.size(), false);
  const size_t most = std::min(first_.size(), num_windows(other, length_));
  if (scratch.counted.size() < most) resize_exactly(scratch.counted, most);
  uint64_t count = 0;
  for (Shared shared = next_shared(other, pieces, 0); shared.position != kNone;) {
    auto& [at, position] = shared;
    if (!scratch.seen[first_[position]]) {
      scratch.seen[first_[position]] = true;
      scratch.counted[count++] = first_[position];
    }
    // Behind a shared substring comes a shared one if one more byte is equal.
    ++at, ++position;
    const bool goes_on = at + length_ <= other.size() && position + length_ <= text_.size() &&
                         text_[position + length_ - 1] == other[at + length_ - 1];
    if (!goes_on) shared = next_shared(other, pieces, at);
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
  find_pieces(other, length_, scratch, scratch.pieces);
  for (Shared shared = next_shared(other, scratch.pieces, 0); shared.position != kNone;) {
    found.push_back(longest_at(shared.position, other, shared.at, scratch.next));
    shared = next_shared(other, scratch.pieces, shared.at + found.back().size_bytes);
  }
  return found;
}

}  // namespace neardup::sif
