#include "neardup/corpus/formats/utf8_repair.h"

#include <cstdint>
#include <cstring>

namespace neardup::corpus {
namespace {

bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/// Length of the valid UTF-8 sequence at `p`, 0 where there is none (Unicode 15, table 3-7).
size_t sequence_length(const uint8_t* p, size_t left) {
  const uint8_t lead = p[0];
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || left < 2 || !is_continuation(p[1])) return 0;
  if (lead < 0xE0) return 2;
  if (lead == 0xE0 && p[1] < 0xA0) return 0;  // overlong
  if (lead == 0xED && p[1] > 0x9F) return 0;  // surrogates
  if (left < 3 || !is_continuation(p[2])) return 0;
  if (lead < 0xF0) return 3;
  if (lead == 0xF0 && p[1] < 0x90) return 0;  // overlong
  if (lead == 0xF4 && p[1] > 0x8F) return 0;  // beyond U+10FFFF
  return left >= 4 && is_continuation(p[3]) ? 4 : 0;
}

}  // namespace

char* repair_utf8(std::string_view bytes, char* out) {
  bool in_bad_run = false;
  for (size_t i = 0; i < bytes.size();) {
    const size_t length = sequence_length(reinterpret_cast<const uint8_t*>(bytes.data()) + i, bytes.size() - i);
    if (length == 0) {
      if (!in_bad_run) {
        std::memcpy(out, "\xEF\xBF\xBD", 3);
        out += 3;
      }
      in_bad_run = true;
      ++i;
      continue;
    }
    in_bad_run = false;
    std::memcpy(out, bytes.data() + i, length);
    out += length;
    i += length;
  }
  return out;
}

size_t count_bad_utf8(std::string_view bytes) {
  size_t num_bad = 0;
  for (size_t i = 0; i < bytes.size();) {
    const size_t length = sequence_length(reinterpret_cast<const uint8_t*>(bytes.data()) + i, bytes.size() - i);
    if (length == 0) ++num_bad;
    i += length == 0 ? 1 : length;
  }
  return num_bad;
}

}  // namespace neardup::corpus
