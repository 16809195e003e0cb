// The linear kernel for whole keys: buckets of plain tables, decoded blocks of differences, and scans of everything.
// Nothing is read behind the last key, since keys may end where a mapped file ends; hits are rare, so a vector is
// tested as a whole and judged key by key.
#include "neardup/hamming/key_scan.h"

// The target with a vector popcount is off by default in Highway 1.0.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/hamming/key_scan.cc"
#include <hwy/foreach_target.h>
// foreach_target must come first
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::hamming::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<uint64_t>;
using Signed = hn::RebindToSigned<D>;
using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

template <class F>
HWY_INLINE void scan_each(const F* keys, size_t size, F key, int max_distance, uint64_t first_rank,
                          std::vector<TableCandidate<F>>& out) {
  for (size_t i = 0; i < size; ++i) {
    if (fingerprint::distance_of<F>(keys[i], key) <= max_distance) out.push_back({keys[i], first_rank + i});
  }
}

// How many differ in each lane, and for keys of two lanes, in each pair of lanes.
HWY_INLINE hn::Vec<D> differences(const Fingerprint* keys, hn::Vec<D> key) {
  return hn::PopulationCount(hn::Xor(hn::LoadU(D(), keys), key));
}
HWY_INLINE hn::Vec<D> all_lanes(Fingerprint key) { return hn::Set(D(), key); }

#if HWY_TARGET != HWY_SCALAR
HWY_INLINE hn::Vec<D> differences(const Fingerprint128* keys, hn::Vec<D> key) {
  const hn::Vec<D> halves = hn::PopulationCount(hn::Xor(hn::LoadU(D(), reinterpret_cast<const uint64_t*>(keys)), key));
  return hn::Add(halves, hn::Shuffle01(halves));
}
HWY_INLINE hn::Vec<D> all_lanes(Fingerprint128 key) {
  return hn::LoadDup128(D(), reinterpret_cast<const uint64_t*>(&key));
}
#endif

// Whole vectors while they last: nothing behind the last key is read.
template <class F>
HWY_INLINE void scan(const F* keys, size_t size, F key, int max_distance, uint64_t first_rank,
                     std::vector<TableCandidate<F>>& out) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const size_t lanes = hn::Lanes(D()) * sizeof(uint64_t) / sizeof(F);
  const auto query = all_lanes(key);
  const auto above = hn::Set(Signed(), max_distance + 1);
  for (; i + lanes <= size; i += lanes) {
    const auto counts = hn::BitCast(Signed(), differences(keys + i, query));
    if (HWY_LIKELY(hn::AllFalse(Signed(), hn::Lt(counts, above)))) continue;
    scan_each(keys + i, lanes, key, max_distance, first_rank + i, out);
  }
#endif
  scan_each(keys + i, size - i, key, max_distance, first_rank + i, out);
}

void scan_64(const Fingerprint* keys, size_t size, Fingerprint key, int max_distance, uint64_t first_rank,
             std::vector<TableCandidate<Fingerprint>>& out) {
  scan(keys, size, key, max_distance, first_rank, out);
}
void scan_128(const Fingerprint128* keys, size_t size, Fingerprint128 key, int max_distance, uint64_t first_rank,
              std::vector<TableCandidate<Fingerprint128>>& out) {
  scan(keys, size, key, max_distance, first_rank, out);
}

}  // namespace neardup::hamming::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::hamming {

HWY_EXPORT(scan_64);
HWY_EXPORT(scan_128);

template <>
void scan_keys(std::span<const fingerprint::Fingerprint> keys, fingerprint::Fingerprint key, int max_distance,
               uint64_t first_rank, std::vector<TableCandidate<fingerprint::Fingerprint>>& out) {
  HWY_DYNAMIC_DISPATCH(scan_64)(keys.data(), keys.size(), key, max_distance, first_rank, out);
}

template <>
void scan_keys(std::span<const fingerprint::Fingerprint128> keys, fingerprint::Fingerprint128 key, int max_distance,
               uint64_t first_rank, std::vector<TableCandidate<fingerprint::Fingerprint128>>& out) {
  HWY_DYNAMIC_DISPATCH(scan_128)(keys.data(), keys.size(), key, max_distance, first_rank, out);
}

}  // namespace neardup::hamming
#endif  // HWY_ONCE
