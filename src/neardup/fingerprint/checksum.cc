#include "neardup/fingerprint/checksum.h"

#include <md5.h>

#include <array>

namespace neardup::fingerprint {
namespace {

uint64_t big_endian(const uint8_t* bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

Hash128 md5(std::string_view bytes) {
  MD5_CTX state;
  std::array<uint8_t, MD5_DIGEST_LENGTH> digest{};
  MD5Init(&state);
  MD5Update(&state, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  MD5Final(digest.data(), &state);
  return {big_endian(digest.data()), big_endian(digest.data() + 8)};
}

}  // namespace

Hash128 checksum_of(Checksum kind, std::string_view bytes) {
  return kind == Checksum::kMd5 ? md5(bytes) : hash128(bytes);
}

}  // namespace neardup::fingerprint
