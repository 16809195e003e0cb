// The 128-bit checksum of a normalised text.
#pragma once

#include <string_view>

#include "neardup/base/hash.h"

namespace neardup::fingerprint {

enum class Checksum { kXxh3, kMd5 };

/// Returns XXH3-128 or MD5 (RFC 1321) of `bytes`. to_hex() of it prints the usual form of either.
[[nodiscard]] Hash128 checksum_of(Checksum kind, std::string_view bytes);

}  // namespace neardup::fingerprint
