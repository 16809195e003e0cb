#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

/// The bytes that may follow a lead byte (Unicode 15, table 3-7): how many, and the range of the first of them.
struct Lead {
  uint32_t num_trail = 0;
  uint8_t low = 0x80;
  uint8_t high = 0xBF;
};

Lead lead_of(uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {1};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  if (byte >= 0xF1 && byte <= 0xF3) return {3};
  return {};
}

}  // namespace

Decoded decode(const char* at, const char* end) {
  const auto first = static_cast<uint8_t>(*at);
  if (first < 0x80) return {first, 1, true};
  const Lead lead = lead_of(first);
  uint32_t good = 0;
  while (good < lead.num_trail && at + 1 + good < end) {
    const auto byte = static_cast<uint8_t>(at[1 + good]);
    if (byte < (good == 0 ? lead.low : 0x80) || byte > (good == 0 ? lead.high : 0xBF)) break;
    ++good;
  }
  if (lead.num_trail == 0 || good < lead.num_trail) return {0xFFFD, 1 + good, false};
  return decode_word(load_up_to_4(at, end));
}

}  // namespace neardup::text
