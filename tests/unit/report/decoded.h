// The numbers of a page's packed data, unpacked again.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace neardup::report {

/// Returns the 32-bit numbers, little endian, of a text in base64.
inline std::vector<uint32_t> decoded(const std::string& base64) {
  static const std::string kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(kDigits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  std::vector<uint32_t> numbers(bytes.size() / 4);
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * 4);
  return numbers;
}

}  // namespace neardup::report
