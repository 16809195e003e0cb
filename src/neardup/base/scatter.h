// Scatter by digit through small buffers, so that memory sees whole cache lines.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "neardup/base/large_array.h"

namespace neardup {

/// What goes with a key where nothing does.
struct NoPayload {
  auto operator<=>(const NoPayload&) const = default;
};

/// Copies whole aligned cache lines past the caches where the machine can.
inline void stream_lines(void* to, const void* from, size_t bytes) {
#if defined(__SSE2__)
  for (size_t i = 0; i < bytes / 16; ++i) {
    _mm_stream_si128(static_cast<__m128i*>(to) + i, _mm_load_si128(static_cast<const __m128i*>(from) + i));
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

/// Appends (key, payload) to one of many places of two arrays. Groups of 16 collect in cache and leave as whole lines.
/// An empty Payload has no array. Threads: one at a time; places of different scatterers do not overlap.
template <class Key, class Payload = NoPayload, class Place = uint64_t>
class Scatter {
 public:
  static constexpr bool kPayloads = !std::is_empty_v<Payload>;

  /// `cursors[d]` is where digit d begins in the arrays (which are aligned to cache lines).
  Scatter(Key* keys, Payload* payloads, std::vector<Place> cursors)
      : keys_(keys), payloads_(payloads), begin_(cursors), next_(std::move(cursors)), groups_(next_.size()) {}

  void push(size_t digit, Key key, Payload payload = {}) {
    const Place at = next_[digit]++;
    Group& group = groups_[digit];
    group.keys[at % kGroup] = key;
    if constexpr (kPayloads) group.payloads[at % kGroup] = payload;
    if (at % kGroup == kGroup - 1) flush(digit, group, at + 1 - kGroup);
  }

  /// Writes what is still in the buffers, for all threads to see. The last call.
  void finish() {
    for (size_t digit = 0; digit < next_.size(); ++digit) {
      copy(digit, groups_[digit], next_[digit] / kGroup * kGroup, next_[digit]);
    }
#if defined(__SSE2__)
    _mm_sfence();
#endif
  }

 private:
  static constexpr Place kGroup = 16;
  struct alignas(64) KeyGroup {
    Key keys[kGroup];
  };
  struct alignas(64) PairGroup {
    Key keys[kGroup];
    Payload payloads[kGroup];
  };
  using Group = std::conditional_t<kPayloads, PairGroup, KeyGroup>;

  void flush(size_t digit, const Group& group, Place line) {
    if (line < begin_[digit]) return copy(digit, group, line, line + kGroup);
    stream_lines(keys_ + line, group.keys, sizeof group.keys);
    if constexpr (kPayloads) stream_lines(payloads_ + line, group.payloads, sizeof group.payloads);
  }

  // A group that is not all ours: its head belongs to the digit before, or its tail is not filled.
  void copy(size_t digit, const Group& group, Place line, Place end) {
    const Place from = std::max(line, begin_[digit]);
    if (from >= end) return;
    std::copy(group.keys + (from - line), group.keys + (end - line), keys_ + from);
    if constexpr (kPayloads) std::copy(group.payloads + (from - line), group.payloads + (end - line), payloads_ + from);
  }

  Key* keys_;
  Payload* payloads_;
  std::vector<Place> begin_;
  std::vector<Place> next_;
  LargeArray<Group> groups_;
};

}  // namespace neardup
