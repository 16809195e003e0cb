// Decoding any bytes: pieces cover the input, valid ones are what they encode to, invalid ones are at most 3 bytes.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "neardup/text/utf8.h"

inline int fuzz_utf8(const uint8_t* data, size_t size) {
  using namespace neardup::text;
  const char* at = reinterpret_cast<const char*>(data);
  const char* end = at + size;
  while (at < end) {
    const Decoded piece = decode(at, end);
    if (piece.size_bytes == 0 || piece.size_bytes > static_cast<size_t>(end - at)) std::abort();
    uint32_t size_bytes = 0;
    const uint32_t word = encode(piece.code_point, size_bytes);
    if (piece.valid && (size_bytes != piece.size_bytes || std::memcmp(&word, at, size_bytes) != 0)) std::abort();
    if (!piece.valid && piece.size_bytes > 3) std::abort();
    at += piece.size_bytes;
  }
  return 0;
}
