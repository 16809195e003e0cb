// The different n-grams of texts in no order: what counting asks for, at half the cost of a set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup::verify {

/// Looks at one text after the other. Memory: up to 512 KiB, and 8 bytes a token of the text. Threads: one object each.
class DistinctNgrams {
 public:
  /// Returns the hashes that make_shingle_set(tokens, kContentNgram) has, in another order, until the next call.
  /// Cost: about 2 ns a token; never more than sorting takes, whatever the hashes.
  [[nodiscard]] std::span<const uint32_t> of(std::span<const uint32_t> tokens);

 private:
  void begin_text(int slot_bits);
  void leave_each_once();

  std::vector<uint32_t> hashes_, others_;
  std::vector<uint64_t> slots_;  // the text that a slot was taken in, and the hash that has taken it
  uint64_t text_ = 0;            // 32 bits
};

}  // namespace neardup::verify
