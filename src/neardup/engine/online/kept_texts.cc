#include "neardup/engine/online/kept_texts.h"

#include <cstring>

namespace neardup::engine {
namespace {

constexpr size_t kBlockWords = size_t{1} << 16;

template <class T>
char* append(char* to, std::span<const T> values) {
  if (!values.empty()) std::memcpy(to, values.data(), values.size_bytes());
  return to + values.size_bytes();
}

template <class T>
std::span<const T> take(const char*& from, size_t count) {
  const auto* values = reinterpret_cast<const T*>(from);
  from += count * sizeof(T);
  return {values, count};
}

}  // namespace

// A document longer than half a block has a block of its own, so that little is left unused.
uint64_t* KeptTexts::place(size_t num_words) {
  if (num_words > kBlockWords / 2) return new_block(num_words);
  if (num_words > left_) {
    open_ = new_block(kBlockWords);
    left_ = kBlockWords;
  }
  uint64_t* const begin = open_ + (kBlockWords - left_);
  left_ -= num_words;
  return begin;
}

uint64_t* KeptTexts::new_block(size_t num_words) {
  blocks_.push_back(std::make_unique_for_overwrite<uint64_t[]>(num_words));
  num_block_words_ += num_words;
  return blocks_.back().get();
}

// Numbers of 4 bytes come before those of 2, so that each is aligned.
uint32_t KeptTexts::add(const PairSide& side) {
  const size_t num_bytes = side.fingerprints.size_bytes() + side.tokens.size_bytes() + side.short_text.size_bytes() +
                           side.signature.size_bytes() + side.short_signature.size_bytes();
  uint64_t* const words = place((num_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t));
  char* to = append(reinterpret_cast<char*>(words), side.fingerprints);
  to = append(append(to, side.tokens), side.short_text);
  append(append(to, side.signature), side.short_signature);
  entries_.push_back({.words = words,
                      .checksum = side.checksum,
                      .num_tokens = static_cast<uint32_t>(side.tokens.size()),
                      .num_short = static_cast<uint32_t>(side.short_text.size()),
                      .num_fingerprints = static_cast<uint16_t>(side.fingerprints.size()),
                      .num_values = static_cast<uint16_t>(side.signature.size()),
                      .num_short_values = static_cast<uint16_t>(side.short_signature.size())});
  return size() - 1;
}

PairSide KeptTexts::side(uint32_t number) const {
  const Entry& entry = entries_[number];
  const auto* from = reinterpret_cast<const char*>(entry.words);
  PairSide side{.checksum = entry.checksum};
  side.fingerprints = take<fingerprint::Fingerprint>(from, entry.num_fingerprints);
  side.tokens = take<uint32_t>(from, entry.num_tokens);
  side.short_text = take<uint32_t>(from, entry.num_short);
  side.signature = take<uint16_t>(from, entry.num_values);
  side.short_signature = take<uint16_t>(from, entry.num_short_values);
  return side;
}

uint64_t KeptTexts::size_bytes() const {
  return entries_.capacity() * sizeof(Entry) + num_block_words_ * sizeof(uint64_t);
}

}  // namespace neardup::engine
