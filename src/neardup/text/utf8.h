// Decoding and encoding of UTF-8, one code point at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace neardup::text {

static_assert(std::endian::native == std::endian::little, "decode_word() reads code points from little-endian words");

/// A code point and the bytes that it takes. Where `valid` is false, `size_bytes` is that of the maximal invalid
/// subpart (1..3), which one U+FFFD replaces.
struct Decoded {
  char32_t code_point = 0xFFFD;
  uint32_t size_bytes = 1;
  bool valid = false;
};

inline uint32_t load32(const void* from) {
  uint32_t word;
  std::memcpy(&word, from, 4);
  return word;
}

inline uint64_t load64(const void* from) {
  uint64_t word;
  std::memcpy(&word, from, 8);
  return word;
}

/// Decodes the non-ASCII code point whose bytes begin at the low end of `word`. Where it is not valid, size_bytes says
/// nothing: decode() finds the extent. Cost: no loop, predicted well in text of one script.
inline Decoded decode_word(uint32_t word) {
  if ((word & 0xC0C0F0) == 0x8080E0) {
    const char32_t c = (word & 0xF) << 12 | (word >> 2 & 0xFC0) | (word >> 16 & 0x3F);
    return {c, 3, c >= 0x800 && (c & 0xF800) != 0xD800};
  }
  if ((word & 0xC0E0) == 0x80C0) {
    const char32_t c = (word & 0x1F) << 6 | (word >> 8 & 0x3F);
    return {c, 2, c >= 0x80};
  }
  if ((word & 0xC0C0C0F8) == 0x808080F0) {
    const char32_t c = (word & 7) << 18 | (word << 4 & 0x3F000) | (word >> 10 & 0xFC0) | (word >> 24 & 0x3F);
    return {c, 4, c >= 0x10000 && c <= 0x10FFFF};
  }
  return {};
}

/// Returns up to four bytes from `from`, less where the text ends, as a little-endian word filled up with zeros.
inline uint32_t load_up_to_4(const char* from, const char* end) {
  if (end - from >= 4) return load32(from);
  uint32_t word = 0;
  std::memcpy(&word, from, static_cast<size_t>(end - from));
  return word;
}

/// Decodes the code point at `at` < `end`, any bytes.
Decoded decode(const char* at, const char* end);

/// Decodes the code point at `at` < `end` of a valid text.
inline Decoded decode_valid(const char* at, const char* end) {
  const auto lead = static_cast<uint8_t>(*at);
  return lead < 0x80 ? Decoded{lead, 1, true} : decode_word(load_up_to_4(at, end));
}

/// Returns the bytes of `c` as a little-endian word, and their number in `size_bytes`.
inline uint32_t encode(char32_t c, uint32_t& size_bytes) {
  if (c < 0x80) return size_bytes = 1, c;
  if (c < 0x800) return size_bytes = 2, 0x80C0 | c >> 6 | (c & 0x3F) << 8;
  if (c < 0x10000) return size_bytes = 3, 0x8080E0 | c >> 12 | (c << 2 & 0x3F00) | (c & 0x3F) << 16;
  return size_bytes = 4, 0x808080F0 | c >> 18 | (c >> 4 & 0x3F00) | (c << 10 & 0x3F0000) | (c & 0x3F) << 24;
}

/// Appends the bytes of `c`.
inline void append_utf8(std::string& out, char32_t c) {
  uint32_t size_bytes = 0;
  const uint32_t bytes = encode(c, size_bytes);
  out.append(reinterpret_cast<const char*>(&bytes), size_bytes);
}

}  // namespace neardup::text
