#include "neardup/base/wide_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace neardup {
namespace {

constexpr size_t kProbeBytes = size_t{64} << 10;
constexpr size_t kLeastBytes = 16;

struct Range {
  uint16_t first, last;
};

// What texts are written in: letters, punctuation and signs of living scripts.
constexpr Range kWritten[] = {{0x09, 0x0A},     {0x0D, 0x0D},     {0x20, 0x7E},     {0xA0, 0x24F},    {0x300, 0x52F},
                              {0x531, 0x58A},   {0x5BE, 0x6FF},   {0x900, 0xE5B},   {0x10A0, 0x11FF}, {0x1E00, 0x1EFF},
                              {0x2010, 0x2044}, {0x20A0, 0x20BF}, {0x2103, 0x2122}, {0x2190, 0x2199}, {0x2460, 0x2473},
                              {0x25A0, 0x25CF}, {0x3000, 0x30FF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0xD83C, 0xD83E},
                              {0xDC00, 0xDFFF}, {0xFE0F, 0xFE0F}, {0xFF01, 0xFF65}};

// What every text has often, and what other bytes hardly are: a NUL, FF or small control beside something else.
constexpr Range kTelling[] = {{0x0A, 0x0A},     {0x0D, 0x0D},     {0x20, 0x20},
                              {0x3000, 0x3002}, {0x3041, 0x30FE}, {0xFF01, 0xFF1F}};

template <size_t N>
bool is_in(uint16_t unit, const Range (&ranges)[N]) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return unit >= range.first && unit <= range.last; });
}

// How many of the characters of `bytes` are written, and how many telling.
struct Counts {
  size_t written = 0, telling = 0;
};

Counts count(std::string_view bytes, size_t high) {
  Counts counts;
  for (size_t at = 0; at + 1 < bytes.size(); at += 2) {
    const auto unit =
        static_cast<uint16_t>(static_cast<uint8_t>(bytes[at + high]) << 8 | static_cast<uint8_t>(bytes[at + 1 - high]));
    counts.written += is_in(unit, kWritten) ? 1 : 0;
    counts.telling += is_in(unit, kTelling) ? 1 : 0;
  }
  return counts;
}

}  // namespace

std::string_view utf16_without_mark(std::string_view bytes) {
  if (bytes.size() < kLeastBytes || bytes.size() % 2 != 0) return {};
  bytes = bytes.substr(0, kProbeBytes);
  const size_t units = bytes.size() / 2;
  const Counts orders[] = {count(bytes, 1), count(bytes, 0)};
  for (const size_t order : {0, 1}) {
    const Counts &is = orders[order], &other = orders[1 - order];
    if (is.written * 200 >= units * 199 && is.telling * 100 >= units && other.written < is.written &&
        other.telling < is.telling)
      return order == 0 ? "UTF-16LE" : "UTF-16BE";
  }
  return {};
}

}  // namespace neardup
