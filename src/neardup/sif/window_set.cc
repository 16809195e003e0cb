#include "neardup/sif/window_set.h"

#include <algorithm>
#include <bit>
#include <cstring>

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

// How many bytes are equal from the first on.
size_t equal_bytes(const char* a, const char* b, size_t most) {
  size_t size = 0;
  for (uint64_t x = 0, y = 0; size + sizeof x <= most; size += sizeof x) {
    std::memcpy(&x, a + size, sizeof x);
    std::memcpy(&y, b + size, sizeof y);
    if (x != y && std::endian::native == std::endian::little)
      return size + static_cast<size_t>(std::countr_zero(x ^ y)) / 8;
    if (x != y) break;
  }
  while (size < most && a[size] == b[size]) ++size;
  return size;
}

// How many positions are in any of them.
uint64_t num_positions(std::vector<Positions>& all) {
  if (all.size() > 1) std::ranges::sort(all, {}, &Positions::begin);
  uint64_t count = 0;
  uint32_t end = 0;
  for (const Positions& one : all) {
    if (one.end <= end) continue;
    count += one.end - std::max(one.begin, end);
    end = one.end;
  }
  return count;
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
  hash_text(text, length, scratch);
  resize_exactly(pieces.windows, num_windows(text, length));
  std::copy_n(scratch.hashes.begin(), pieces.windows.size(), pieces.windows.begin());
}

void WindowSet::assign(std::string_view text, size_t length, WindowScratch& scratch) {
  text_ = text;
  length_ = length;
  num_distinct_ = 0;
  const size_t count = num_windows(text, length);
  fill_exactly(slots_, 2 * std::max<size_t>(count, 8), Slot{kNone, 0});
  fill_exactly(marks_, slots_.size() / 4, uint64_t{0});
  resize_exactly(first_, count);
  resize_exactly(repeats_, count);
  hash_text(text, Pieces::size_bytes(length), scratch);
  for (size_t i = 0; i < num_windows(text, Pieces::size_bytes(length)); ++i) mark(scratch.hashes[i]);
  hash_text(text, length, scratch);
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) __builtin_prefetch(&slots_[slot_of(scratch.hashes[i + kAhead])], 1);
    insert(static_cast<uint32_t>(i), scratch.hashes[i]);
    repeats_[i] = static_cast<uint32_t>(i + 1 - num_distinct_);
  }
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
    for (; from < end; ++from)
      if (const uint32_t position = find(pieces.windows[from], other, from); position != kNone) return {from, position};
  }
  return {count, kNone};
}

// The first positions of the substrings at `count` positions, those in a row together.
void WindowSet::append_firsts(uint32_t position, uint32_t count, std::vector<Positions>& out) const {
  const uint32_t end = position + count;
  if (first_[position] == position && repeats_[end - 1] == repeats_[position]) return out.push_back({position, end});
  for (; position < end; ++position) {
    const uint32_t first = first_[position];
    const bool goes_on = !out.empty() && out.back().begin <= first && first <= out.back().end;
    if (!goes_on) out.push_back({first, first});
    out.back().end = std::max(out.back().end, first + 1);
  }
}

uint64_t WindowSet::count_shared(std::string_view other, const Pieces& pieces, WindowScratch& scratch) const {
  if (first_.empty() || other.size() < length_) return 0;
  scratch.counted.clear();
  for (Shared shared = next_shared(other, pieces, 0); shared.position != kNone;) {
    // Behind a shared substring each byte that is equal makes one more.
    const size_t at = shared.at + length_, position = shared.position + length_;
    const size_t more =
        equal_bytes(text_.data() + position, other.data() + at, std::min(text_.size() - position, other.size() - at));
    append_firsts(shared.position, static_cast<uint32_t>(1 + more), scratch.counted);
    shared = next_shared(other, pieces, shared.at + 1 + more);
  }
  return num_positions(scratch.counted);
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
