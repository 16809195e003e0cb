// Digests of bytes with the name of what made them, as archives of the web note them: "sha1:" and base32.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace neardup::fingerprint {

/// Returns "sha1:" and the SHA-1 of `bytes` as 32 digits of base32 (RFC 4648), as WARC writers have it.
[[nodiscard]] std::string sha1_label(std::string_view bytes);

/// Returns whether `label` names the digest of `bytes`: "md5:", "sha1:", "sha256:" (also "sha-256:") or "sha512:", each
/// in any letter case, and the digest in hexadecimal or base32, large letters or small. Nothing where it is of another
/// kind, or no label.
[[nodiscard]] std::optional<bool> is_digest_of(std::string_view label, std::string_view bytes);

}  // namespace neardup::fingerprint
