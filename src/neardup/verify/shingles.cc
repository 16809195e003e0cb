#include "neardup/verify/shingles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "neardup/base/hash.h"
#include "neardup/verify/decide.h"

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

// Sorts a few thousand hashes: one pass into buckets by their leading bits, about one hash in each because they are
// uniform, then insertions, which hardly move anything. A third of the time of a general sort; larger arrays are left
// to sort_by_digits, so that repeated hashes which share a bucket cannot cost much.
void sort_in_buckets(std::vector<uint32_t>& hashes) {
  static thread_local std::vector<uint32_t> unsorted;
  static thread_local std::vector<uint32_t> begins;
  unsorted = hashes;
  const int shift = 32 - static_cast<int>(std::bit_width(hashes.size()));
  begins.assign((size_t{1} << (32 - shift)) + 1, 0);
  for (const uint32_t hash : unsorted) ++begins[(hash >> shift) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  for (const uint32_t hash : unsorted) hashes[begins[hash >> shift]++] = hash;
  for (size_t i = 1; i < hashes.size(); ++i) {
    const uint32_t hash = hashes[i];
    size_t place = i;
    for (; place > 0 && hashes[place - 1] > hash; --place) hashes[place] = hashes[place - 1];
    hashes[place] = hash;
  }
}

// Sorts by 11 bits of the hashes after the other, the lowest first: a cost that does not depend on what they are.
void sort_by_digits(std::vector<uint32_t>& hashes) {
  constexpr int kDigitBits = 11;
  constexpr uint32_t kMask = (1U << kDigitBits) - 1;
  std::vector<uint32_t> others(hashes.size());
  std::vector<size_t> places;
  for (int shift = 0; shift < 32; shift += kDigitBits) {
    places.assign(size_t{kMask} + 2, 0);
    for (const uint32_t hash : hashes) ++places[(hash >> shift & kMask) + 1];
    std::partial_sum(places.begin(), places.end(), places.begin());
    for (const uint32_t hash : hashes) others[places[hash >> shift & kMask]++] = hash;
    hashes.swap(others);
  }
}

void sort_hashes(std::vector<uint32_t>& hashes) {
  constexpr size_t kMostInBuckets = 4096;
  if (hashes.size() < 2) return;
  if (hashes.size() <= kMostInBuckets) return sort_in_buckets(hashes);
  sort_by_digits(hashes);
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
  hash_ngrams(tokens, static_cast<size_t>(n), hashes);
  sort_hashes(hashes);
  ShingleSet set;
  set.hashes.assign(hashes.begin(), std::unique(hashes.begin(), hashes.end()));
  set.distinct_bigrams = count_distinct_bigrams(tokens, kLongTextBigrams);
  constexpr size_t kKeepBytes = size_t{1} << 20;  // a giant text must not leave its memory behind in each thread
  if (hashes.capacity() * sizeof(uint32_t) > kKeepBytes) std::vector<uint32_t>().swap(hashes);
  return set;
}

}  // namespace neardup::verify
