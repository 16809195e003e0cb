#include "neardup/report/script_data.h"

#include <algorithm>
#include <cmath>

#include "neardup/base/json.h"

namespace neardup::report {

void append_script_string(std::string& out, std::string_view text) {
  std::string json;
  append_json_string(json, text);
  for (const char c : json) c == '<' ? out.append("\\u003c") : out.append(1, c);
}

void append_base64(std::string& out, std::span<const uint32_t> numbers) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const size_t size = numbers.size() * 4;
  const auto byte = [&](size_t i) { return i < size ? numbers[i / 4] >> (i % 4 * 8) & 0xFF : 0; };  // little endian
  for (size_t i = 0; i < size; i += 3) {
    const uint32_t bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (size_t digit = 0; digit < 4; ++digit)
      out += i + digit <= size ? kDigits[bits >> (18 - 6 * digit) & 0x3F] : '=';
  }
}

uint32_t packed_share(float share) {
  if (!(share > 0)) return 0;
  return static_cast<uint32_t>(std::min(10000.0, std::floor(static_cast<double>(share) * 1e4 + 1e-2)));
}

}  // namespace neardup::report
