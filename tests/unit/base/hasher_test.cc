#include "neardup/base/hasher.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace neardup {
namespace {

TEST(Hasher128, PiecesGiveTheHashOfTheWhole) {
  std::mt19937_64 random(1);
  for (const size_t size : {0, 1, 16, 240, 241, 1024, 100'000}) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    Hasher128 hasher;
    for (size_t at = 0; at < size;) {
      const size_t piece = std::min<size_t>(size - at, 1 + random() % 700);
      hasher.add(std::string_view(bytes).substr(at, piece));
      at += piece;
    }
    EXPECT_EQ(hasher.value(), hash128(bytes)) << size;
    Hasher128 moved = std::move(hasher);
    moved.add("x");
    EXPECT_EQ(moved.value(), hash128(bytes + "x")) << size;
  }
}

TEST(CanonicalBytes, AreTheDigitsOfHex) {
  const Hash128 hash{0x0123456789abcdef, 0xfedcba9876543210};
  std::string hex;
  for (const char byte : canonical_bytes(hash)) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  EXPECT_EQ(hex, to_hex(hash));
}

}  // namespace
}  // namespace neardup
