#include "neardup/text/misread_bytes.h"

#include <algorithm>
#include <cstdint>

#include "neardup/text/charset.h"
#include "neardup/text/cyrillic.h"
#include "neardup/text/han_text.h"
#include "neardup/text/misread_runs.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr std::string_view kOfCyrillic[] = {"windows-1251", "KOI8-R", "KOI8-U",        "ISO-8859-5",
                                            "IBM855",       "IBM866", "x-mac-cyrillic"};
constexpr std::string_view kOfHan[] = {"GB18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR"};

/// Sets `bytes` to those that were read; false where they were no such text.
bool read_latin_back(std::string_view text, std::string& bytes) {
  size_t num_beyond = 0, num_letters = 0;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const Decoded c = decode(at, end);
    const bool is_beyond = c.code_point >= 0x80;
    const uint8_t byte = is_beyond ? latin_byte(c.code_point) : static_cast<uint8_t>(c.code_point);
    if (!c.valid || (is_beyond && byte == 0)) return false;
    num_beyond += is_beyond ? 1 : 0;
    num_letters += static_cast<uint8_t>((byte | 0x20) - 'a') < 26 ? 1 : 0;
    bytes += static_cast<char>(byte);
    at += c.size_bytes;
  }
  return num_letters <= num_beyond;
}

}  // namespace

bool repair_misread_bytes(std::string_view text, std::string& out) {
  std::string bytes, decoded;
  if (!read_latin_back(text, bytes)) return false;
  Decoder decoder;
  const std::string_view found = decoder.decode(bytes, {}, decoded);
  const auto is_one_of = [&](const auto& names) {
    return std::ranges::find(names, decoder.encoding()) != std::end(names);
  };
  const bool is_certain =
      !decoder.has_failed() && ((is_one_of(kOfCyrillic) && is_surely_cyrillic(bytes, decoder.encoding())) ||
                                (is_one_of(kOfHan) && is_surely_han(found)));
  if (is_certain) out = found;
  return is_certain;
}

}  // namespace neardup::text
