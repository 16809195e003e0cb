#include "neardup/base/hasher.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace neardup {

struct Hasher128::State {
  XXH3_state_t xxh3;
};

void Hasher128::Delete::operator()(State* state) const { delete state; }

Hasher128::Hasher128() : state_(new State) { XXH3_128bits_reset(&state_->xxh3); }

void Hasher128::add(std::string_view bytes) { XXH3_128bits_update(&state_->xxh3, bytes.data(), bytes.size()); }

Hash128 Hasher128::value() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
  return {hash.high64, hash.low64};
}

std::array<char, 16> canonical_bytes(const Hash128& hash) {
  std::array<char, 16> bytes{};
  for (size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<char>(hash.high >> (56 - 8 * i) & 0xff);
    bytes[8 + i] = static_cast<char>(hash.low >> (56 - 8 * i) & 0xff);
  }
  return bytes;
}

}  // namespace neardup
