#include "neardup/fingerprint/digest.h"

// The order matters: the second of the two asks for what the first declares.
#include <md5.h>
#include <sha1.h>
#include <sha2.h>
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace neardup::fingerprint {
namespace {

using Digest = std::string;  // of bytes

template <class Context, size_t kBytes, class Init, class Update, class Final>
Digest digest_by(std::string_view bytes, Init init, Update update, Final final) {
  Context context;
  std::array<uint8_t, kBytes> digest{};
  init(&context);
  update(&context, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  final(digest.data(), &context);
  return {digest.begin(), digest.end()};
}

Digest md5_of(std::string_view bytes) {
  return digest_by<MD5_CTX, MD5_DIGEST_LENGTH>(bytes, MD5Init, MD5Update, MD5Final);
}
Digest sha1_of(std::string_view bytes) {
  return digest_by<SHA1_CTX, SHA1_DIGEST_LENGTH>(bytes, SHA1Init, SHA1Update, SHA1Final);
}
Digest sha256_of(std::string_view bytes) {
  return digest_by<SHA2_CTX, SHA256_DIGEST_LENGTH>(bytes, SHA256Init, SHA256Update, SHA256Final);
}
Digest sha512_of(std::string_view bytes) {
  return digest_by<SHA2_CTX, SHA512_DIGEST_LENGTH>(bytes, SHA512Init, SHA512Update, SHA512Final);
}

struct DigestKind {
  std::string_view name;
  Digest (*make)(std::string_view bytes);
};
constexpr std::array<DigestKind, 7> kDigestKinds = {{{"md5", md5_of},
                                                     {"sha1", sha1_of},
                                                     {"sha-1", sha1_of},
                                                     {"sha256", sha256_of},
                                                     {"sha-256", sha256_of},
                                                     {"sha512", sha512_of},
                                                     {"sha-512", sha512_of}}};

/// Digits of `bits_each` bits, the first one from the highest bits; bits that are missing at the end are 0.
std::string digits_of(std::string_view digest, unsigned bits_each, std::string_view alphabet) {
  std::string digits;
  uint32_t held = 0;
  unsigned num_bits = 0;
  for (const char c : digest) {
    held = held << 8 | static_cast<uint8_t>(c);
    for (num_bits += 8; num_bits >= bits_each; num_bits -= bits_each)
      digits += alphabet[held >> (num_bits - bits_each) & ((1U << bits_each) - 1)];
  }
  if (num_bits > 0) digits += alphabet[held << (bits_each - num_bits) & ((1U << bits_each) - 1)];
  return digits;
}

std::string base32_of(std::string_view digest) { return digits_of(digest, 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"); }
std::string hex_of(std::string_view digest) { return digits_of(digest, 4, "0123456789ABCDEF"); }

bool is_same_word(std::string_view a, std::string_view b) {
  const auto large = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  return std::ranges::equal(a, b, {}, large, large);
}

}  // namespace

std::string sha1_label(std::string_view bytes) { return "sha1:" + base32_of(sha1_of(bytes)); }

std::optional<bool> is_digest_of(std::string_view label, std::string_view bytes) {
  const size_t colon = label.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view value = label.substr(colon + 1);
  value = value.substr(0, value.find_last_not_of('=') + 1);  // what base32 is padded with
  for (const DigestKind& kind : kDigestKinds) {
    if (!is_same_word(kind.name, label.substr(0, colon))) continue;
    const Digest digest = kind.make(bytes);
    return is_same_word(value, hex_of(digest)) || is_same_word(value, base32_of(digest));
  }
  return std::nullopt;
}

}  // namespace neardup::fingerprint
