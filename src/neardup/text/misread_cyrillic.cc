#include "neardup/text/misread_cyrillic.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "neardup/text/misread_runs.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr size_t kManyMisread = 3;           // in a row that are no chance
constexpr size_t kMinCyrillicRuns = 2;       // that show that the whole text was misread
constexpr uint8_t kLostCyrillicByte = 0x98;  // the one that the code page does not know, of which U+FFFD may be left

/// Entry i is the character of the byte 0x80 + i; from 0xC0 on they are the letters U+0410 to U+044F.
constexpr std::array<char16_t, 64> kCp1251 = {
    0x0402, 0x0403, 0x201A, 0x0453, 0x201E, 0x2026, 0x2020, 0x2021, 0x20AC, 0x2030, 0x0409, 0x2039, 0x040A,
    0x040C, 0x040B, 0x040F, 0x0452, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x0098, 0x2122,
    0x0459, 0x203A, 0x045A, 0x045C, 0x045B, 0x045F, 0x00A0, 0x040E, 0x045E, 0x0408, 0x00A4, 0x0490, 0x00A6,
    0x00A7, 0x0401, 0x00A9, 0x0404, 0x00AB, 0x00AC, 0x00AD, 0x00AE, 0x0407, 0x00B0, 0x00B1, 0x0406, 0x0456,
    0x0491, 0x00B5, 0x00B6, 0x00B7, 0x0451, 0x2116, 0x0454, 0x00BB, 0x0458, 0x0405, 0x0455, 0x0457};

/// The byte that was read as `c`; 0 where there is none.
uint8_t cyrillic_byte(char32_t c) {
  if (c >= 0x410 && c < 0x450) return static_cast<uint8_t>(c - 0x410 + 0xC0);
  if (c == 0xFFFD) return kLostCyrillicByte;
  return byte_in_code_page(kCp1251, c);
}

/// What Cyrillic texts are written with beyond ASCII.
bool is_cyrillic_text(char32_t c) {
  return (c >= 0x400 && c < 0x460) || c == 0x490 || c == 0x491 || c == 0xA0 || c == 0xAB || c == 0xBB || c == 0x2116 ||
         (c >= 0x2010 && c <= 0x2026);
}

/// Sets `bytes` to what the run was before, and returns how many characters that are; 0 where it was nothing else.
size_t read_back_cyrillic(std::string_view run, std::string& bytes) {
  if (!read_back(run, cyrillic_byte, bytes)) return 0;
  size_t count = 0;
  for (const char *at = bytes.data(), *end = at + bytes.size(); at < end; ++count) {
    const Decoded c = decode(at, end);
    if (!c.valid || !is_cyrillic_text(c.code_point)) return 0;
    at += c.size_bytes;
  }
  return count;
}

/// Returns how many characters in a row are enough in this text; 0 where none are.
size_t enough_characters(std::string_view text) {
  std::string bytes;
  size_t num_misread = 0, num_meant = 0;
  for (MisreadRun run = next_misread_run(text, 0); !run.is_empty(); run = next_misread_run(text, run.end))
    ++(read_back_cyrillic(run.in(text), bytes) > 0 ? num_misread : num_meant);
  if (num_misread == 0) return 0;
  return num_misread >= kMinCyrillicRuns && num_meant * 10 <= num_misread ? 1 : kManyMisread;
}

}  // namespace

bool may_begin_misread_cyrillic(char32_t c, const char* at, const char* end) {
  if ((c != U'Р' && c != U'С') || at == end || is_ascii_byte(*at)) return false;
  const Decoded next = decode(at, end);
  return next.valid && (cyrillic_byte(next.code_point) & 0xC0) == 0x80;
}

bool repair_misread_cyrillic(std::string_view text, std::string& out) {
  const size_t enough = enough_characters(text);
  if (enough == 0) return false;
  std::string bytes;
  return replace_misread_runs(text, out, [&](const MisreadRun& run) {
    return read_back_cyrillic(run.in(text), bytes) >= enough ? &bytes : nullptr;
  });
}

}  // namespace neardup::text
