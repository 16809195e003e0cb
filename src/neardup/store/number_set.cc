#include "neardup/store/number_set.h"

#include <algorithm>
#include <bit>

namespace neardup::store {

NumberSet::Words& NumberSet::words_of(Chunk& chunk) {
  if (!chunk.words) {
    chunk.words.reset(new Words);
    chunk.words->fill(chunk.count == 0 ? 0 : UINT64_MAX);
  }
  return *chunk.words;
}

void NumberSet::settle(Chunk& chunk) {
  if (chunk.count == 0 || chunk.count == kChunk) chunk.words.reset();
}

void NumberSet::settle() {
  for (Chunk& chunk : chunks_) settle(chunk);
}

void NumberSet::make_room(uint64_t number) {
  if (number / kChunk >= chunks_.size()) chunks_.resize(number / kChunk + 1);
  words_of(chunks_[number / kChunk]);
}

void NumberSet::add(uint64_t number) {
  if (contains(number)) return;
  if (number / kChunk >= chunks_.size()) chunks_.resize(number / kChunk + 1);
  Chunk& chunk = chunks_[number / kChunk];
  words_of(chunk)[number % kChunk / 64] |= uint64_t{1} << number % 64;
  ++chunk.count;
  ++size_;
}

void NumberSet::add_range(uint64_t first, uint64_t end) {
  if (first >= end) return;
  make_room(end - 1);
  make_room(first);
  while (first < end) {
    const bool is_whole = first % kChunk == 0 && end - first >= kChunk;
    if (!is_whole) {
      add(first++);
      continue;
    }
    Chunk& chunk = chunks_[first / kChunk];
    size_ += kChunk - chunk.count;
    chunk.count = kChunk;
    settle(chunk);
    first += kChunk;
  }
}

void NumberSet::remove(uint64_t number) {
  if (!contains(number)) return;
  Chunk& chunk = chunks_[number / kChunk];
  words_of(chunk)[number % kChunk / 64] &= ~(uint64_t{1} << number % 64);
  --chunk.count;
  --size_;
}

uint64_t NumberSet::size_bytes() const {
  uint64_t bytes = chunks_.capacity() * sizeof(Chunk);
  for (const Chunk& chunk : chunks_) bytes += chunk.words ? sizeof(Words) : 0;
  return bytes;
}

uint64_t NumberSet::word(uint64_t i) const {
  constexpr uint64_t kEach = kChunk / 64;
  if (i / kEach >= chunks_.size()) return 0;
  const Chunk& chunk = chunks_[i / kEach];
  if (chunk.words) return (*chunk.words)[i % kEach];
  return chunk.count == 0 ? 0 : UINT64_MAX;
}

uint64_t NumberSet::next_absent(uint64_t number) const {
  while (number < end()) {
    const Chunk& chunk = chunks_[number / kChunk];
    if (chunk.count == kChunk) {
      number = (number / kChunk + 1) * kChunk;
      continue;
    }
    const uint64_t absent = ~word(number / 64) >> number % 64;
    if (absent != 0) return number + static_cast<uint64_t>(std::countr_zero(absent));
    number = (number / 64 + 1) * 64;
  }
  return number;
}

uint64_t NumberSet::count(uint64_t first, uint64_t end) const {
  uint64_t count = 0;
  for_each_range([&](uint64_t from, uint64_t to) {
    from = std::max(from, first);
    to = std::min(to, end);
    if (from < to) count += to - from;
  });
  return count;
}

uint64_t NumberSet::count_common(const NumberSet& other) const {
  uint64_t count = 0;
  for (size_t c = 0; c < std::min(chunks_.size(), other.chunks_.size()); ++c) {
    const Chunk& mine = chunks_[c];
    const Chunk& its = other.chunks_[c];
    if (!mine.words || !its.words) {
      count += mine.count == 0 || its.count == 0 ? 0 : std::min(mine.count, its.count);
      continue;
    }
    for (size_t i = 0; i < mine.words->size(); ++i)
      count += static_cast<uint64_t>(std::popcount((*mine.words)[i] & (*its.words)[i]));
  }
  return count;
}

std::vector<uint64_t> NumberSet::without(const NumberSet& other, uint64_t first, uint64_t end) const {
  std::vector<uint64_t> numbers;
  end = std::min(end, this->end());
  while (first < end) {
    const size_t c = first / kChunk;
    const bool is_other_full = c < other.chunks_.size() && other.chunks_[c].count == kChunk;
    if (chunks_[c].count == 0 || is_other_full) {
      first = (c + 1) * kChunk;
      continue;
    }
    const uint64_t from = first % 64;
    for (uint64_t rest = (word(first / 64) & ~other.word(first / 64)) >> from << from; rest != 0; rest &= rest - 1) {
      const uint64_t number = first / 64 * 64 + static_cast<uint64_t>(std::countr_zero(rest));
      if (number < end) numbers.push_back(number);
    }
    first = (first / 64 + 1) * 64;
  }
  return numbers;
}

void NumberSet::for_each_range(const std::function<void(uint64_t first, uint64_t end)>& visit) const {
  for (uint64_t number = 0; number < end();) {
    if (chunks_[number / kChunk].count == 0) {
      number = (number / kChunk + 1) * kChunk;
      continue;
    }
    const uint64_t there = word(number / 64) >> number % 64;
    if (there == 0) {
      number = (number / 64 + 1) * 64;
      continue;
    }
    const uint64_t first = number + static_cast<uint64_t>(std::countr_zero(there));
    number = next_absent(first);
    visit(first, number);
  }
}

}  // namespace neardup::store
