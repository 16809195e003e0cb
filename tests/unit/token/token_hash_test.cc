#include "neardup/token/token_hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>

#include "neardup/token/one_token.h"

namespace neardup::token {
namespace {

std::string random_bytes(std::mt19937_64& rng, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(1 + rng() % 255);
  return bytes;
}

TEST(TokenHash, PublishedVectorsOfWyhash) {
  EXPECT_EQ(wyhash("", 0), 0x93228a4de0eec5a2u);
  EXPECT_EQ(wyhash("a", 1), 0xc5bac3db178713c4u);
  EXPECT_EQ(wyhash("abc", 2), 0xa97f2f7b1d9b3314u);
  EXPECT_EQ(wyhash("message digest", 3), 0x786d1f1df3801df4u);
  EXPECT_EQ(wyhash("abcdefghijklmnopqrstuvwxyz", 4), 0xdca5a8138ad37c87u);
  EXPECT_EQ(wyhash("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 5), 0xb9e734f117cfaf70u);
  EXPECT_EQ(wyhash("12345678901234567890123456789012345678901234567890123456789012345678901234567890", 6),
            0x6cc5eab49a92d617u);
}

TEST(TokenHash, IsWyhashOfThePaddedBytes) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 5000; ++i) {
    const std::string bytes = random_bytes(rng, 120);
    const uint64_t seed = rng();
    for (size_t size = 0; size <= 100; ++size) {
      const std::string token = bytes.substr(0, size);
      std::string padded = token;
      if (size < 16) padded.resize(16, '\0');
      ASSERT_EQ(token_hash(token, seed), wyhash(padded, seed)) << size;
      // What stands behind the token does not count.
      ASSERT_EQ(hash_token(HashSecret(seed), bytes.data(), size, bytes.size()), token_hash(token, seed)) << size;
    }
  }
}

TEST(TokenHash, EveryBitOfTheInputTurnsHalfOfTheOutput) {
  std::mt19937_64 rng(2);
  for (size_t size : {1, 2, 3, 4, 6, 7, 8, 9, 15, 16, 17, 40, 100}) {
    for (size_t bit = 0; bit < size * 8; ++bit) {
      int turned = 0;
      for (int i = 0; i < 64; ++i) {
        std::string bytes = random_bytes(rng, size);
        const uint64_t before = token_hash(bytes, 0);
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
        turned += std::popcount(before ^ token_hash(bytes, 0));
      }
      EXPECT_NEAR(turned / 64.0, 32, 4) << size << " bytes, bit " << bit;
    }
  }
}

TEST(TokenHash, PinnedValues) {
  // Fingerprints on disk depend on these: they never change.
  EXPECT_EQ(token_hash("near", 0), wyhash(std::string_view("near\0\0\0\0\0\0\0\0\0\0\0\0", 16), 0));
  EXPECT_NE(token_hash("near", 0), token_hash("near", 1));
  EXPECT_NE(token_hash("a", 0), token_hash("aa", 0));
}

}  // namespace
}  // namespace neardup::token
