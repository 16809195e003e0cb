// What was quoted, as one word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/hash.h"

namespace neardup::text {

/// Stands for what a short answer quotes: the same for the same letters, however lines are broken and quoted.
class QuoteDigest {
 public:
  void add(std::string_view quoted) {
    for (const char c : quoted)
      if (is_counted(c)) state_ = (state_ ^ static_cast<uint8_t>(c)) * 0x100000001B3;
  }

  /// Returns a word of twelve letters between brackets: "⟨acbdpmnoklie⟩".
  [[nodiscard]] std::string word() const {
    std::string word = "⟨";
    uint64_t bits = mix64(state_);
    for (int i = 0; i < 12; ++i, bits >>= 4) word += static_cast<char>('a' + (bits & 15));
    return word + "⟩";
  }

 private:
  static bool is_counted(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || static_cast<uint8_t>(c) >= 0x80;
  }

  uint64_t state_ = 0xCBF29CE484222325;
};

}  // namespace neardup::text
