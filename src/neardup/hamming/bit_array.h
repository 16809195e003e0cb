// Numbers of a few bits each, packed one behind the other, and records whose fields they are.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "neardup/fingerprint/wide.h"

namespace neardup::hamming {

/// Wide enough for any field: a document number and one more bit, or what is left of a fingerprint.
using Field = fingerprint::Fingerprint128;

/// Returns `count` bits (0..128) from bit number `at` on, the lowest first. Reads up to 24 bytes from at / 64 * 8 on.
[[nodiscard]] inline Field read_field(const uint64_t* words, uint64_t at, int count) {
  const uint64_t* from = words + at / 64;
  const int shift = static_cast<int>(at % 64);
  Field value = Field{from[1]} << 64 | from[0];
  value >>= shift;
  if (shift + count > 128) value |= Field{from[2]} << (128 - shift);
  return count == 128 ? value : value & ((Field{1} << count) - 1);
}

/// Writes fields one behind the other into zeroed words. Writers of neighbouring stretches may run at once: the words
/// at both ends of a stretch are shared.
class FieldWriter {
 public:
  FieldWriter(uint64_t* words, uint64_t at) : word_(words + at / 64), used_(static_cast<int>(at % 64)), shared_(true) {}
  FieldWriter(const FieldWriter&) = delete;
  FieldWriter& operator=(const FieldWriter&) = delete;
  ~FieldWriter() {
    if (used_ > 0) join();
  }

  /// Requires: no bits of `value` at or above `count` <= 128.
  void push(Field value, int count) {
    if (count > 64) {
      push64(static_cast<uint64_t>(value), 64);
      value >>= 64;
      count -= 64;
    }
    push64(static_cast<uint64_t>(value), count);
  }

 private:
  void push64(uint64_t value, int count) {
    pending_ |= value << used_;
    used_ += count;
    if (used_ < 64) return;
    if (shared_) {
      join();
      shared_ = false;
    } else {
      *word_ = pending_;
    }
    ++word_;
    used_ -= 64;
    pending_ = used_ == 0 ? 0 : value >> (count - used_);
  }
  void join() { std::atomic_ref<uint64_t>(*word_).fetch_or(pending_, std::memory_order_relaxed); }

  uint64_t* word_;        // that is being filled
  int used_;              // its bits that are taken
  bool shared_;           // another stretch may end in it: it is joined, not stored
  uint64_t pending_ = 0;  // this stretch's bits of it
};

}  // namespace neardup::hamming
