#include "neardup/remote/redis/packed_list.h"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/remote/redis/packed_list.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Compiled for each kind of processor, as counting bits is one instruction only where it is known to be there.
HWY_BEFORE_NAMESPACE();
namespace neardup::remote::redis {
namespace HWY_NAMESPACE {

// Of entries whose value has at most 8 bytes and behind which, but for the last ones, 8 bytes can be read.
size_t near_kernel(const char* entries, size_t count, size_t stride, uint64_t value, uint64_t mask, int max_distance,
                   uint32_t* found) {
  size_t num_found = 0;
  for (size_t i = 0; i < count; ++i, entries += stride) {
    uint64_t entry = 0;
    std::memcpy(&entry, entries, sizeof entry);
    found[num_found] = static_cast<uint32_t>(i);
    num_found += std::popcount((entry ^ value) & mask) <= max_distance ? 1 : 0;
  }
  return num_found;
}

size_t near_wide_kernel(const char* entries, size_t count, size_t stride, const uint64_t* value, size_t upper_bytes,
                        int max_distance, uint32_t* found) {
  size_t num_found = 0;
  for (size_t i = 0; i < count; ++i, entries += stride) {
    uint64_t lower = 0, upper = 0;
    std::memcpy(&lower, entries, sizeof lower);
    std::memcpy(&upper, entries + sizeof lower, upper_bytes);
    found[num_found] = static_cast<uint32_t>(i);
    num_found += std::popcount(lower ^ value[0]) + std::popcount(upper ^ value[1]) <= max_distance ? 1 : 0;
  }
  return num_found;
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::remote::redis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::remote::redis {
namespace {

HWY_EXPORT(near_kernel);
HWY_EXPORT(near_wide_kernel);

constexpr size_t kWord = sizeof(uint64_t);

void find_narrow(const PackedList& list, uint64_t value, int max_distance, std::vector<uint32_t>& found) {
  const uint64_t mask = list.value_bytes() == kWord ? ~uint64_t{0} : (uint64_t{1} << 8 * list.value_bytes()) - 1;
  const size_t size = list.bytes().size(), stride = list.stride();
  const size_t inner = size < kWord ? 0 : (size - kWord) / stride + 1;  // behind whose begin a word can be read
  const size_t before = found.size(), count = list.size();
  found.resize(before + count + 1);
  uint32_t* out = found.data() + before;
  size_t num_found = HWY_DYNAMIC_DISPATCH(near_kernel)(list.bytes().data(), std::min(inner, count), stride, value, mask,
                                                       max_distance, out);
  for (size_t i = std::min(inner, count); i < count; ++i)
    if (std::popcount((static_cast<uint64_t>(list.value(i)) ^ value) & mask) <= max_distance)
      out[num_found++] = static_cast<uint32_t>(i);
  found.resize(before + num_found);
}

}  // namespace

void find_within(const PackedList& list, Wide value, int max_distance, std::vector<uint32_t>& found) {
  if (list.size() == 0) return;
  if (list.value_bytes() <= kWord) return find_narrow(list, static_cast<uint64_t>(value), max_distance, found);
  const uint64_t words[2] = {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64)};
  const size_t before = found.size();
  found.resize(before + list.size() + 1);
  const size_t num_found =
      HWY_DYNAMIC_DISPATCH(near_wide_kernel)(list.bytes().data(), list.size(), list.stride(), words,
                                             list.value_bytes() - kWord, max_distance, found.data() + before);
  found.resize(before + num_found);
}

void find_equal(const PackedList& list, Wide value, std::vector<uint32_t>& found) {
  find_within(list, value, 0, found);
}

}  // namespace neardup::remote::redis

#endif  // HWY_ONCE
