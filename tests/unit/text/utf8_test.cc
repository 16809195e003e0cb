#include "neardup/text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::text {
namespace {

TEST(Utf8, EveryScalarValueComesBack) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if ((c & 0xFFFFF800) == 0xD800) continue;
    uint32_t size = 0;
    const uint32_t word = encode(c, size);
    char bytes[4];
    std::memcpy(bytes, &word, 4);
    for (const Decoded& decoded : {decode(bytes, bytes + size), decode_valid(bytes, bytes + size)}) {
      ASSERT_EQ(decoded.code_point, c);
      ASSERT_EQ(decoded.size_bytes, size);
      ASSERT_TRUE(decoded.valid);
    }
  }
}

TEST(Utf8, SurrogatesAreInvalid) {
  for (char32_t c = 0xD800; c < 0xE000; ++c) {
    uint32_t size = 0;
    const uint32_t word = encode(c, size);
    char bytes[4];
    std::memcpy(bytes, &word, 4);
    const Decoded decoded = decode(bytes, bytes + size);
    ASSERT_FALSE(decoded.valid);
    ASSERT_EQ(decoded.size_bytes, 1u);
  }
}

TEST(Utf8, TheTwoDecodersAgreeOnWhatIsValid) {
  for (uint32_t high = 0; high < 0x10000; ++high) {
    for (const uint32_t low : {0x8080u, 0xBFBFu, 0x8020u, 0x2080u, 0xC080u}) {
      const uint32_t word = low << 16 | high;
      char bytes[4];
      std::memcpy(bytes, &word, 4);
      if (static_cast<uint8_t>(bytes[0]) < 0x80) continue;
      ASSERT_EQ(decode(bytes, bytes + 4).valid, decode_word(word).valid) << std::hex << word;
    }
  }
}

}  // namespace
}  // namespace neardup::text
