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
  uint32_t first, last;
};

// What texts are written in: letters, punctuation and signs of living scripts.
constexpr Range kWritten[] = {
    {0x09, 0x0A},     {0x0D, 0x0D},     {0x20, 0x7E},     {0xA0, 0x24F},      {0x300, 0x52F},
    {0x531, 0x58A},   {0x5BE, 0x6FF},   {0x900, 0xE5B},   {0x10A0, 0x11FF},   {0x1E00, 0x1EFF},
    {0x2010, 0x2044}, {0x20A0, 0x20BF}, {0x2103, 0x2122}, {0x2190, 0x2199},   {0x2460, 0x2473},
    {0x25A0, 0x25CF}, {0x3000, 0x30FF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3},   {0xD83C, 0xD83E},
    {0xDC00, 0xDFFF}, {0xFE0F, 0xFE0F}, {0xFF01, 0xFF65}, {0x1F000, 0x1FAFF}, {0x20000, 0x2FFFF}};

// What every text has often, and what other bytes hardly are: a NUL, FF or small control beside something else.
constexpr Range kTelling[] = {{0x0A, 0x0A},     {0x0D, 0x0D},     {0x20, 0x20},
                              {0x3000, 0x3002}, {0x3041, 0x30FE}, {0xFF01, 0xFF1F}};

template <size_t N>
bool is_in(uint32_t unit, const Range (&ranges)[N]) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return unit >= range.first && unit <= range.last; });
}

// How many of the characters of `bytes` are written, and how many telling.
struct Counts {
  size_t written = 0, telling = 0;
};

struct Form {
  std::string_view encoding;
  size_t size_bytes;
  bool is_big;
};
constexpr Form kForms[] = {
    {"UTF-32LE", 4, false}, {"UTF-32BE", 4, true}, {"UTF-16LE", 2, false}, {"UTF-16BE", 2, true}};

uint32_t unit_at(const char* at, const Form& form) {
  uint32_t unit = 0;
  for (size_t i = 0; i < form.size_bytes; ++i)
    unit = unit << 8 | static_cast<uint8_t>(at[form.is_big ? i : form.size_bytes - 1 - i]);
  return unit;
}

Counts count(std::string_view bytes, const Form& form) {
  Counts counts;
  for (size_t at = 0; at + form.size_bytes <= bytes.size(); at += form.size_bytes) {
    const uint32_t unit = unit_at(bytes.data() + at, form);
    counts.written += is_in(unit, kWritten) ? 1 : 0;
    counts.telling += is_in(unit, kTelling) ? 1 : 0;
  }
  return counts;
}

// The encoding of two that differ in their byte order.
std::string_view by_order(std::string_view bytes, const Form& little, const Form& big) {
  if (bytes.size() % little.size_bytes != 0) return {};
  bytes = bytes.substr(0, kProbeBytes);
  const size_t units = bytes.size() / little.size_bytes;
  const Counts of_little = count(bytes, little), of_big = count(bytes, big);
  const auto is_text = [units](const Counts& is, const Counts& other) {
    return is.written * 200 >= units * 199 && is.telling * 100 >= units && other.written < is.written &&
           other.telling < is.telling;
  };
  if (is_text(of_little, of_big)) return little.encoding;
  return is_text(of_big, of_little) ? big.encoding : std::string_view();
}

}  // namespace

WideMark wide_mark(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xFF\xFE\0\0"sv)) return {"UTF-32LE", 4};
  if (bytes.starts_with("\0\0\xFE\xFF"sv)) return {"UTF-32BE", 4};
  if (bytes.starts_with("\xFF\xFE"sv)) return {"UTF-16LE", 2};
  if (bytes.starts_with("\xFE\xFF"sv)) return {"UTF-16BE", 2};
  return {};
}

std::string_view wide_without_mark(std::string_view bytes) {
  if (bytes.size() < kLeastBytes) return {};
  const std::string_view found = by_order(bytes, kForms[0], kForms[1]);
  return found.empty() ? by_order(bytes, kForms[2], kForms[3]) : found;
}

}  // namespace neardup
