// Scatter by digit through small buffers, so that memory sees whole cache lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "neardup/hamming/stored_array.h"

namespace neardup::hamming {

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
/// An empty P has no array. Threads: one at a time; places of different scatterers do not overlap.
template <class F, class P>
class Scatter {
 public:
  static constexpr bool kPayloads = !std::is_empty_v<P>;

  /// `cursors[d]` is where digit d begins in the arrays (which are aligned to cache lines).
  Scatter(F* keys, P* payloads, std::vector<uint64_t> cursors)
      : keys_(keys), payloads_(payloads), begin_(cursors), next_(std::move(cursors)), groups_(next_.size()) {}

  void push(size_t digit, F key, P payload) {
    const uint64_t at = next_[digit]++;
    Group& group = groups_.data()[digit];
    group.keys[at % kGroup] = key;
    if constexpr (kPayloads) group.payloads[at % kGroup] = payload;
    if (at % kGroup == kGroup - 1) flush(digit, group, at + 1 - kGroup);
  }

  /// Writes what is still in the buffers, for all threads to see. The last call.
  void finish() {
    for (size_t digit = 0; digit < next_.size(); ++digit) {
      copy(digit, groups_.data()[digit], next_[digit] / kGroup * kGroup, next_[digit]);
    }
#if defined(__SSE2__)
    _mm_sfence();
#endif
  }

 private:
  static constexpr uint64_t kGroup = 16;
  struct alignas(64) Group {
    F keys[kGroup];
    P payloads[kGroup];
  };

  void flush(size_t digit, const Group& group, uint64_t line) {
    if (line < begin_[digit]) return copy(digit, group, line, line + kGroup);
    stream_lines(keys_ + line, group.keys, sizeof group.keys);
    if constexpr (kPayloads) stream_lines(payloads_ + line, group.payloads, sizeof group.payloads);
  }

  // A group that is not all ours: its head belongs to the digit before, or its tail is not filled.
  void copy(size_t digit, const Group& group, uint64_t line, uint64_t end) {
    const uint64_t from = std::max(line, begin_[digit]);
    if (from >= end) return;
    std::copy(group.keys + (from - line), group.keys + (end - line), keys_ + from);
    if constexpr (kPayloads) std::copy(group.payloads + (from - line), group.payloads + (end - line), payloads_ + from);
  }

  F* keys_;
  P* payloads_;
  std::vector<uint64_t> begin_;
  std::vector<uint64_t> next_;
  StoredArray<Group> groups_;
};

}  // namespace neardup::hamming
