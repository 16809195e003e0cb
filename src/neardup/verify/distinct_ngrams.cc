#include "neardup/verify/distinct_ngrams.h"

#include <algorithm>
#include <bit>

#include "neardup/verify/content_rule.h"
#include "neardup/verify/shingles.h"
#include "neardup/verify/sort_distinct.h"

namespace neardup::verify {
namespace {

constexpr size_t kMostInSlots = size_t{1} << 14;  // more would not stay in a core's cache
constexpr size_t kKeep = size_t{1} << 18;         // hashes: a giant text must not leave its memory behind

}  // namespace

std::span<const uint32_t> DistinctNgrams::of(std::span<const uint32_t> tokens) {
  if (hashes_.capacity() > kKeep) hashes_ = {};
  hash_ngrams(tokens, kContentNgram, hashes_);
  if (hashes_.size() > kMostInSlots) {
    sort_distinct(hashes_);
  } else if (hashes_.size() > 1) {
    leave_each_once();
  }
  return hashes_;
}

// Slots of other texts are free, so none needs to be cleared before all numbers of texts have been used.
void DistinctNgrams::begin_text(int slot_bits) {
  if (slots_.size() < size_t{1} << slot_bits) slots_.resize(size_t{1} << slot_bits);
  text_ = (text_ + 1) & UINT32_MAX;
  if (text_ != 0) return;
  std::ranges::fill(slots_, 0);
  text_ = 1;
}

// The first hash takes its slot, and is found there when it comes again. One that finds another hash in its slot does
// so each time, so that all of them are among the others: few, three to six slots for each hash, which are sorted.
void DistinctNgrams::leave_each_once() {
  const auto slot_bits = static_cast<int>(std::bit_width(3 * hashes_.size()));
  begin_text(slot_bits);
  others_.resize(hashes_.size());
  size_t num_first = 0, num_others = 0;
  for (const uint32_t hash : hashes_) {
    uint64_t& slot = slots_[hash >> (32 - slot_bits)];
    const uint64_t mine = text_ << 32 | hash, found = slot;
    const bool is_free = found >> 32 != text_;
    slot = found ^ ((found ^ mine) & (0 - uint64_t{is_free}));  // mine where it is free, without a branch
    hashes_[num_first] = hash;                                  // never ahead of the loop
    num_first += is_free;
    others_[num_others] = hash;
    num_others += static_cast<unsigned>(!is_free) & static_cast<unsigned>(found != mine);
  }
  others_.resize(num_others);
  sort_distinct(others_);
  hashes_.resize(num_first);
  hashes_.insert(hashes_.end(), others_.begin(), others_.end());
}

}  // namespace neardup::verify
