// Scatter by digit through small buffers, so that memory sees whole cache lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "neardup/base/large_array.h"

namespace neardup::join {

/// Copies one aligned cache line past the caches where the machine can.
inline void stream_line(void* to, const void* from) {
#if defined(__SSE2__)
  for (int i = 0; i < 4; ++i) {
    _mm_stream_si128(static_cast<__m128i*>(to) + i, _mm_load_si128(static_cast<const __m128i*>(from) + i));
  }
#else
  std::memcpy(to, from, 64);
#endif
}

/// Makes streamed lines visible to other threads.
inline void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// Appends keys to one of many places of an array. Groups of 16 collect in cache and leave as two whole lines.
/// Threads: one at a time; places of different scatterers do not overlap.
class Scatter {
 public:
  /// `cursors[d]` is where digit d begins in the array (which is aligned to cache lines).
  Scatter(uint64_t* keys, std::vector<uint32_t> cursors)
      : keys_(keys), begin_(cursors), next_(std::move(cursors)), groups_(next_.size()) {}

  void push(uint32_t digit, uint64_t key) {
    const uint32_t at = next_[digit]++;
    Group& group = groups_[digit];
    group.keys[at % kGroup] = key;
    if (at % kGroup == kGroup - 1) flush(digit, group, at + 1 - kGroup);
  }

  /// Writes what is still in the buffers. The last call.
  void finish() {
    for (size_t digit = 0; digit < next_.size(); ++digit) {
      copy(digit, groups_[digit], next_[digit] / kGroup * kGroup, next_[digit]);
    }
    finish_streaming();
  }

 private:
  static constexpr uint32_t kGroup = 16;
  struct Group {
    alignas(64) uint64_t keys[kGroup];
  };

  void flush(uint32_t digit, const Group& group, uint32_t line) {
    if (line < begin_[digit]) return copy(digit, group, line, line + kGroup);
    stream_line(keys_ + line, group.keys);
    stream_line(keys_ + line + 8, group.keys + 8);
  }

  // A group that is not all ours: its head belongs to the digit before, or its tail is not filled.
  void copy(size_t digit, const Group& group, uint32_t line, uint32_t end) {
    const uint32_t from = std::max(line, begin_[digit]);
    if (from >= end) return;
    std::memcpy(keys_ + from, group.keys + (from - line), (end - from) * sizeof(uint64_t));
  }

  uint64_t* keys_;
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> next_;
  LargeArray<Group> groups_;
};

}  // namespace neardup::join
