// The hash of a token, inline for the hot loop.
//
// It is wyhash 4.2 (Wang Yi; https://github.com/wangyi-fudan/wyhash) of the token's bytes, filled up with zeros to 16
// where there are fewer. No token holds a zero byte, so different tokens stay different, and one formula without
// branches serves nearly all of them: the sizes of words cannot be predicted, and a wrong guess between the formulas of
// XXH3 or wyhash for 1..3, 4..8, 9..16 bytes costs more than the hash itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "neardup/text/utf8.h"

namespace neardup::token {

/// What all hashes under one seed share.
struct HashSecret {
  static constexpr uint64_t kFirst = 0x2d358dccaa6c78a5;
  static constexpr uint64_t kSecond = 0x8bb84b93962eacc9;
  static constexpr uint64_t kThird = 0x4b33a62ed433d4a3;
  static constexpr uint64_t kFourth = 0x4d5a2da51de1aa47;

  uint64_t seed;
  explicit HashSecret(uint64_t user_seed);
};

__extension__ using Product = unsigned __int128;

inline uint64_t multiply_mix(uint64_t a, uint64_t b) {
  const Product product = static_cast<Product>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline HashSecret::HashSecret(uint64_t user_seed) : seed(user_seed ^ multiply_mix(user_seed ^ kFirst, kSecond)) {}

/// The end of wyhash: `a` and `b` hold the last bytes.
inline uint64_t finish_hash(uint64_t a, uint64_t b, uint64_t seed, size_t size) {
  const Product product = static_cast<Product>(a ^ HashSecret::kSecond) * (b ^ seed);
  return multiply_mix(static_cast<uint64_t>(product) ^ HashSecret::kFirst ^ size,
                      static_cast<uint64_t>(product >> 64) ^ HashSecret::kSecond);
}

/// wyhash of the 16 bytes whose first and second half are `low` and `high`.
inline uint64_t hash_16_bytes(uint64_t low, uint64_t high, uint64_t seed) {
  return finish_hash(low << 32 | (high & 0xFFFFFFFF), (high >> 32) << 32 | low >> 32, seed, 16);
}

/// Entry i keeps the first i of 16 bytes.
struct ByteMasks {
  std::array<std::array<uint64_t, 2>, 17> of_size{};
  constexpr ByteMasks() {
    for (size_t size = 0; size <= 16; ++size) {
      for (size_t i = 0; i < size; ++i) of_size[size][i / 8] |= uint64_t{0xFF} << i % 8 * 8;
    }
  }
};
inline constexpr ByteMasks kByteMasks;

/// wyhash of `size` > 16 bytes.
uint64_t hash_long(const HashSecret& secret, const char* bytes, size_t size);

/// wyhash of any number of bytes, as published.
uint64_t wyhash(std::string_view bytes, uint64_t seed);

/// Returns the hash of the token of `size` bytes at `bytes`, from where `room` >= size bytes may be read.
inline uint64_t hash_token(const HashSecret& secret, const char* bytes, size_t size, size_t room) {
  if (size > 16) return hash_long(secret, bytes, size);
  char padded[16];
  if (room < 16) {
    std::memset(padded, 0, sizeof(padded));
    std::memcpy(padded, bytes, size);
    bytes = padded;
  }
  const auto& mask = kByteMasks.of_size[size];
  return hash_16_bytes(text::load64(bytes) & mask[0], text::load64(bytes + 8) & mask[1], secret.seed);
}

}  // namespace neardup::token
