// A set of n-grams is a sorted array of 32-bit hashes: two sets are compared by one merge, by vectors, with 4 bytes an
// n-gram. Hashes may meet: for texts of 700 tokens .0001 false common ones are expected (docs/design/verification.md).
// A multiplication folded to 64 bits, of which the upper half is kept, costs a few instructions for each place of the
// text.
#include "neardup/verify/shingles.h"

#include <array>

#include "neardup/base/hash.h"
#include "neardup/base/per_thread.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/sort_distinct.h"

namespace neardup::verify {
namespace {

uint64_t two(const uint32_t* tokens) { return uint64_t{tokens[0]} << 32 | tokens[1]; }

__extension__ using Wide = unsigned __int128;

// Folds the 128-bit product of two words; see Wang Yi, wyhash. Neither word is 0 by more than chance.
uint64_t multiply_and_fold(uint64_t a, uint64_t b) {
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

constexpr uint64_t kSeeds[4] = {0x2d358dccaa6c78a5ULL, 0x8bb84b93962eacc9ULL, 0x4b33a62ed433d4a3ULL,
                                0x4d5a2da51de1aa47ULL};

uint32_t hash_ngram3(const uint32_t* tokens) {
  return static_cast<uint32_t>(multiply_and_fold(two(tokens) ^ kSeeds[0], tokens[2] ^ kSeeds[1]) >> 32);
}

uint32_t hash_ngram5(const uint32_t* tokens) {
  const uint64_t four = multiply_and_fold(two(tokens) ^ kSeeds[0], two(tokens + 2) ^ kSeeds[1]);
  return static_cast<uint32_t>(multiply_and_fold(four ^ kSeeds[2], tokens[4] ^ kSeeds[3]) >> 32);
}

// Hashes a text that is shorter than n; its length is part of the hash, so it equals no text of another length.
uint32_t hash_short_text(std::span<const uint32_t> tokens) {
  uint64_t hash = mix64(kSeeds[2] + tokens.size());
  for (const uint32_t token : tokens) hash = mix64(hash ^ token);
  return static_cast<uint32_t>(hash >> 32);
}

}  // namespace

void hash_ngrams(std::span<const uint32_t> tokens, size_t n, std::vector<uint32_t>& hashes) {
  if (tokens.size() < n) {
    hashes.assign(tokens.empty() ? 0 : 1, tokens.empty() ? 0 : hash_short_text(tokens));
    return;
  }
  hashes.resize(tokens.size() - n + 1);
  for (size_t i = 0; i < hashes.size(); ++i) {
    hashes[i] = n == 3 ? hash_ngram3(tokens.data() + i) : hash_ngram5(tokens.data() + i);
  }
}

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

uint32_t hash_of_ngram(std::span<const uint32_t> ngram) {
  return ngram.size() == 3 ? hash_ngram3(ngram.data()) : hash_short_text(ngram);
}

ShingleSet take_shingle_set(std::vector<uint32_t>& hashes, std::span<const uint32_t> tokens, uint32_t most_bigrams) {
  sort_distinct(hashes);
  ShingleSet set;
  set.hashes.assign(hashes.begin(), hashes.end());
  set.distinct_bigrams = count_distinct_bigrams(tokens, most_bigrams);
  constexpr size_t kKeepBytes = size_t{1} << 20;  // a giant text must not leave its memory behind in each thread
  if (hashes.capacity() * sizeof(uint32_t) > kKeepBytes) std::vector<uint32_t>().swap(hashes);
  return set;
}

ShingleSet make_shingle_set(std::span<const uint32_t> tokens, int n) {
  static PerThread<std::vector<uint32_t>> buffers;
  std::vector<uint32_t>& hashes = buffers.get();
  hash_ngrams(tokens, static_cast<size_t>(n), hashes);
  return take_shingle_set(hashes, tokens, kLongTextBigrams);
}

}  // namespace neardup::verify
