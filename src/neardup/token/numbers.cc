#include "neardup/token/numbers.h"

#include <unicode/uchar.h>

#include "neardup/text/utf8.h"

namespace neardup::token {

namespace {

constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_number(std::string_view token) {
  if (token.empty() || is_ascii_letter(token[0])) return false;  // most tokens
  bool has_digit = false;
  for (size_t at = 0; at < token.size();) {
    if (static_cast<unsigned char>(token[at]) < 0x80) {
      if (is_ascii_letter(token[at])) return false;
      has_digit = has_digit || is_ascii_digit(token[at]);
      ++at;
      continue;
    }
    const text::Decoded decoded = text::decode(token.data() + at, token.data() + token.size());
    const uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(decoded.code_point));
    if ((category & (U_GC_L_MASK | U_GC_M_MASK)) != 0) return false;
    has_digit = has_digit || (category & (U_GC_ND_MASK | U_GC_NO_MASK)) != 0;
    at += decoded.size_bytes;
  }
  return has_digit;
}

}  // namespace neardup::token
