#include "neardup/verify/shingles.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <array>

#include "neardup/base/hash.h"
#include "neardup/verify/decide.h"

namespace neardup::verify {
namespace {

uint64_t two(const uint32_t* tokens) { return uint64_t{tokens[0]} << 32 | tokens[1]; }

// Hashes `count` tokens; the count is part of the hash, so sequences of different lengths differ.
uint32_t hash_sequence(const uint32_t* tokens, size_t count) {
  uint64_t hash = mix64(0x9e3779b97f4a7c15ULL * (count + 1));
  for (; count >= 2; count -= 2, tokens += 2) hash = mix64(hash ^ two(tokens));
  if (count == 1) hash = mix64(hash ^ tokens[0]);
  return static_cast<uint32_t>(hash >> 32);
}

// A template, so that the loop inside hash_sequence is unrolled.
template <size_t kN>
void hash_ngrams(std::span<const uint32_t> tokens, std::vector<uint32_t>& hashes) {
  hashes.resize(tokens.size() - kN + 1);
  for (size_t i = 0; i < hashes.size(); ++i) hashes[i] = hash_sequence(tokens.data() + i, kN);
}

const hwy::Sorter& sorter() {
  static thread_local const hwy::Sorter instance;  // its working memory is allocated once
  return instance;
}

}  // namespace

uint32_t count_distinct_bigrams(std::span<const uint32_t> tokens, uint32_t limit) {
  if (tokens.size() < 2) return static_cast<uint32_t>(tokens.size());
  constexpr size_t kSlots = 512;  // a hash table that is never more than a quarter full; 0 = free
  std::array<uint64_t, kSlots> slots{};
  bool zero_seen = false;
  uint32_t count = 0;
  for (size_t i = 0; i + 1 < tokens.size() && count < limit; ++i) {
    const uint64_t pair = two(tokens.data() + i);
    if (pair == 0) {
      count += !zero_seen;
      zero_seen = true;
      continue;
    }
    size_t slot = mix64(pair) % kSlots;
    while (slots[slot] != 0 && slots[slot] != pair) slot = (slot + 1) % kSlots;
    count += slots[slot] == 0;
    slots[slot] = pair;
  }
  return count;
}

ShingleSet make_shingle_set(std::span<const uint32_t> tokens, int n) {
  static thread_local std::vector<uint32_t> hashes;
  if (tokens.empty()) {
    hashes.clear();
  } else if (tokens.size() < static_cast<size_t>(n)) {
    hashes.assign(1, hash_sequence(tokens.data(), tokens.size()));
  } else if (n == 3) {
    hash_ngrams<3>(tokens, hashes);
  } else {
    hash_ngrams<5>(tokens, hashes);
  }
  sorter()(hashes.data(), hashes.size(), hwy::SortAscending());
  ShingleSet set;
  set.hashes.assign(hashes.begin(), std::unique(hashes.begin(), hashes.end()));
  set.distinct_bigrams = count_distinct_bigrams(tokens, kLongTextBigrams);
  constexpr size_t kKeepBytes = size_t{1} << 20;  // a giant text must not leave its memory behind in each thread
  if (hashes.capacity() * sizeof(uint32_t) > kKeepBytes) std::vector<uint32_t>().swap(hashes);
  return set;
}

}  // namespace neardup::verify
