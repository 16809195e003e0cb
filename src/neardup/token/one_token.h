// A token: where it stands, and its hash.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup::token {

/// One token of a normalised text.
struct Token {
  uint32_t begin = 0;  // offset of its first byte in the normalised text
  uint32_t size_bytes = 0;
  uint64_t hash = 0;  // token_hash() of its bytes (of its stem, where stemming is on)
  bool operator==(const Token&) const = default;
};

/// Returns the hash of a token: a pure function of `bytes` and `seed`, the same on all machines. wyhash 4.2 of the
/// bytes, filled up with zeros to 16 where there are fewer. Requires: no zero byte among them.
[[nodiscard]] uint64_t token_hash(std::string_view bytes, uint64_t seed);

}  // namespace neardup::token
