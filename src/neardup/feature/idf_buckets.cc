// Asked once for each distinct token of each document, at random places of a table far larger than the caches: so a
// bucket is one line of memory that holds tags and weights together, and lines are asked for 16 tokens ahead. The tag
// is the lower half of a hash and the home follows from the upper half, so tags tell tokens of one home apart. The walk
// ends because the last bucket has an empty place.
#include "neardup/feature/idf_buckets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/feature/idf_buckets.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::feature {
namespace HWY_NAMESPACE {

/// Returns the place of `tag` in the bucket, or -1.
HWY_INLINE intptr_t find_tag(const IdfBucket& bucket, uint32_t tag) {
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<uint32_t, IdfBucket::kSize> d;
  return hn::FindFirstTrue(d, hn::Eq(hn::Load(d, bucket.tags), hn::Set(d, tag)));
#else
  for (size_t i = 0; i < IdfBucket::kSize; ++i) {
    if (bucket.tags[i] == tag) return static_cast<intptr_t>(i);
  }
  return -1;
#endif
}

HWY_INLINE float find_weight(const IdfTable& table, uint64_t hash) {
  const uint32_t tag = IdfTable::tag_of(hash);
  for (const IdfBucket* bucket = table.buckets + table.home_of(hash);; ++bucket) {
    const intptr_t place = find_tag(*bucket, tag);
    // Whether a token is known is hard to foresee, so that no branch asks for it alone; few buckets are full.
    if ((place < 0) & bucket->is_full()) [[unlikely]]
      continue;
    const float* const weight = place < 0 ? &table.unknown_weight : bucket->weights + place;
    return *weight;
  }
}

float weight(const IdfTable& table, uint64_t hash) { return find_weight(table, hash); }

void multiply_weights(const IdfTable& table, std::span<const uint64_t> hashes, std::span<float> weights) {
  constexpr size_t kAhead = 16;
  const size_t size = hashes.size();
  const IdfTable local = table;
  for (size_t i = 0; i < size; ++i) {
    if (i + kAhead < size) __builtin_prefetch(local.buckets + local.home_of(hashes[i + kAhead]));
    weights[i] *= find_weight(local, hashes[i]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::feature
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::feature {
namespace {

HWY_EXPORT(weight);
HWY_EXPORT(multiply_weights);

}  // namespace

float idf_weight(const IdfTable& table, uint64_t hash) { return HWY_DYNAMIC_DISPATCH(weight)(table, hash); }

void multiply_idf_weights(const IdfTable& table, std::span<const uint64_t> hashes, std::span<float> weights) {
  HWY_DYNAMIC_DISPATCH(multiply_weights)(table, hashes, weights);
}

}  // namespace neardup::feature

#endif  // HWY_ONCE
