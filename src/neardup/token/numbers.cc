#include "neardup/token/numbers.h"

#include <unicode/uchar.h>

#include "neardup/text/utf8.h"

namespace neardup::token {

bool is_number(std::string_view token) {
  bool has_digit = false;
  for (size_t at = 0; at < token.size();) {
    const text::Decoded decoded = text::decode(token.data() + at, token.data() + token.size());
    const uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(decoded.code_point));
    if ((category & (U_GC_L_MASK | U_GC_M_MASK)) != 0) return false;
    has_digit = has_digit || (category & U_GC_ND_MASK) != 0;
    at += decoded.size_bytes;
  }
  return has_digit;
}

}  // namespace neardup::token
