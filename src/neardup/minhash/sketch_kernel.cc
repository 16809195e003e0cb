// A throw is one hash for an element and not one for each value; hashes are made in vectors, then thrown one by one.
// The round stands in the upper bits of the key, so a later round can only fill bins that are empty, and needs no bins
// of its own to be merged (with those, short texts took 6 us). Sixteen rounds, then a minimum of its own for each empty
// bin, side by side in vectors: as good as 128 rounds for ten elements and more, and faster.
// The least key of a bin by arithmetic: std::min becomes a jump that is anyone's guess, 2.1 instead of .7 us for 700
// n-grams. bench/DEAD_ENDS.md, docs/design/minhash.md.
#include "neardup/minhash/sketch_kernel.h"

#include <algorithm>

#include "neardup/base/hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/minhash/sketch_kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::minhash {
namespace HWY_NAMESPACE {

constexpr size_t kChunk = 128;  // elements that are hashed in vectors before they are thrown one by one
constexpr int kRoundShift = 60;

HWY_INLINE uint64_t hash_of(uint64_t element, uint64_t seed) {
  uint64_t value = (element ^ seed) * 0xbf58476d1ce4e5b9ULL;
  value ^= value >> 32;
  return value * 0x94d049bb133111ebULL;
}

// The keys of later rounds are greater, so that they only enter bins that were empty.
HWY_INLINE void throw_chunk(const uint64_t* HWY_RESTRICT hashes, size_t count, uint64_t seed, uint64_t round,
                            uint64_t num_bins, uint64_t* HWY_RESTRICT bins) {
  HWY_ALIGN uint64_t keys[kChunk];
  HWY_ALIGN uint64_t places[kChunk];
  for (size_t i = 0; i < count; ++i) {
    const uint64_t value = hash_of(hashes[i], seed);
    keys[i] = value >> (64 - kRoundShift) | round << kRoundShift;
    places[i] = (value >> 32) * num_bins >> 32;
  }
  // The minimum without a jump: which bin gets a smaller key is anyone's guess.
  for (size_t i = 0; i < count; ++i) {
    uint64_t& bin = bins[places[i]];
    bin ^= (bin ^ keys[i]) & (uint64_t{0} - static_cast<uint64_t>(keys[i] < bin));
  }
}

size_t count_empty(const uint64_t* bins, size_t num_bins) {
  size_t count = 0;
  for (size_t i = 0; i < num_bins; ++i) count += bins[i] == kEmptyBin ? 1 : 0;
  return count;
}

// Each bin that is still empty takes its own minimum over all elements; the bins lie side by side for that.
void fill_late_bins(std::span<const uint64_t> hashes, const uint64_t* seeds, size_t num_bins, uint64_t* bins,
                    LateBins& late) {
  size_t count = 0;
  for (size_t i = 0; i < num_bins; ++i) {
    late.bins[count] = static_cast<uint32_t>(i);
    late.seeds[count] = seeds[i];
    count += bins[i] == kEmptyBin ? 1 : 0;
  }
  std::fill_n(late.least, count, kEmptyBin);
  for (const uint64_t hash : hashes) {
    for (size_t i = 0; i < count; ++i) late.least[i] = std::min(late.least[i], hash_of(hash, late.seeds[i]));
  }
  for (size_t i = 0; i < count; ++i) bins[late.bins[i]] = late.least[i];
}

void fill_bins(std::span<const uint64_t> hashes, const uint64_t* seeds, size_t num_bins, uint64_t* bins,
               LateBins& late) {
  std::fill_n(bins, num_bins, kEmptyBin);
  for (size_t round = 0; round < kRounds; ++round) {
    for (size_t begin = 0; begin < hashes.size(); begin += kChunk) {
      throw_chunk(hashes.data() + begin, std::min(kChunk, hashes.size() - begin), seeds[round], round, num_bins, bins);
    }
    if (count_empty(bins, num_bins) == 0) return;
  }
  fill_late_bins(hashes, seeds + kRounds, num_bins, bins, late);
}

void write_values(const uint64_t* bins, fingerprint::SignatureValue* out, size_t num_bins) {
  for (size_t i = 0; i < num_bins; ++i) out[i] = static_cast<fingerprint::SignatureValue>(mix64(bins[i]) >> 48);
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::minhash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::minhash {
namespace {

HWY_EXPORT(fill_bins);
HWY_EXPORT(write_values);

}  // namespace

void fill_bins(std::span<const uint64_t> hashes, const uint64_t* seeds, size_t num_bins, uint64_t* bins,
               LateBins& late) {
  HWY_DYNAMIC_DISPATCH(fill_bins)(hashes, seeds, num_bins, bins, late);
}

void write_values(const uint64_t* bins, std::span<fingerprint::SignatureValue> out) {
  HWY_DYNAMIC_DISPATCH(write_values)(bins, out.data(), out.size());
}

}  // namespace neardup::minhash

#endif  // HWY_ONCE
