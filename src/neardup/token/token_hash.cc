#include "neardup/token/token_hash.h"

#include "neardup/token/one_token.h"

namespace neardup::token {
namespace {

using text::load32;
using text::load64;

uint64_t byte_at(std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); }

uint64_t mix_16(const char* bytes, uint64_t secret, uint64_t seed) {
  return multiply_mix(load64(bytes) ^ secret, load64(bytes + 8) ^ seed);
}

}  // namespace

uint64_t hash_long(const HashSecret& secret, const char* bytes, size_t size) {
  uint64_t seed = secret.seed;
  size_t rest = size;
  if (rest >= 48) {
    uint64_t second = seed;
    uint64_t third = seed;
    for (; rest >= 48; rest -= 48, bytes += 48) {
      seed = mix_16(bytes, HashSecret::kSecond, seed);
      second = mix_16(bytes + 16, HashSecret::kThird, second);
      third = mix_16(bytes + 32, HashSecret::kFourth, third);
    }
    seed ^= second ^ third;
  }
  for (; rest > 16; rest -= 16, bytes += 16) seed = mix_16(bytes, HashSecret::kSecond, seed);
  // The last 16 bytes; some of them may have been mixed before.
  return finish_hash(load64(bytes + rest - 16), load64(bytes + rest - 8), seed, size);
}

uint64_t wyhash(std::string_view bytes, uint64_t seed) {
  const HashSecret secret(seed);
  const size_t size = bytes.size();
  if (size > 16) return hash_long(secret, bytes.data(), size);
  if (size == 0) return finish_hash(0, 0, secret.seed, 0);
  if (size < 4) {
    const uint64_t a = byte_at(bytes, 0) << 16 | byte_at(bytes, size >> 1) << 8 | byte_at(bytes, size - 1);
    return finish_hash(a, 0, secret.seed, size);
  }
  const size_t step = size >> 3 << 2;
  const char* last = bytes.data() + size - 4;
  const uint64_t a = static_cast<uint64_t>(load32(bytes.data())) << 32 | load32(bytes.data() + step);
  const uint64_t b = static_cast<uint64_t>(load32(last)) << 32 | load32(last - step);
  return finish_hash(a, b, secret.seed, size);
}

uint64_t token_hash(std::string_view bytes, uint64_t seed) {
  return hash_token(HashSecret(seed), bytes.data(), bytes.size(), bytes.size());
}

}  // namespace neardup::token
