// Texts in an encoding that their first line names: what comes out of a converter is valid UTF-8, and UTF-8 comes back
// as it is, but for a byte order mark.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/text/charset.h"
#include "neardup/text/utf8.h"

inline int fuzz_charset(const uint8_t* data, size_t size) {
  using namespace neardup::text;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view label = bytes.substr(0, bytes.find('\n'));
  const std::string_view text = bytes.substr(std::min(label.size() + 1, size));
  static Decoder decoder;
  std::string out;
  const std::string_view decoded = decoder.decode(text, label, out);
  if (decoder.encoding() == "UTF-8") {
    const bool at_end = decoded.data() + decoded.size() == text.data() + text.size();
    const size_t missing = text.size() - std::min(text.size(), decoded.size());
    if (!decoded.empty() && (!at_end || (missing != 0 && missing != 3))) std::abort();
    return 0;
  }
  for (const char *at = decoded.data(), *end = at + decoded.size(); at < end;) {
    const Decoded next = decode(at, end);
    if (static_cast<uint8_t>(*at) >= 0x80 && !next.valid) std::abort();
    at += static_cast<uint8_t>(*at) < 0x80 ? 1 : next.size_bytes;
  }
  return 0;
}
