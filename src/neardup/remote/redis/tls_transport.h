// TLS 1.2 or newer over a socket, by GnuTLS.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/remote/redis/transport.h"
#include "neardup/remote/remote_uri.h"

namespace neardup::remote::redis {

/// Options of a rediss:// URI: files in PEM, named as by redis-cli, and the name that the server's certificate is for
/// where that is not the host.
inline constexpr std::array<std::string_view, 4> kTlsOptions = {"cacert", "cert", "key", "server-name"};

/// Errors: kInvalidArgument where a URI without TLS has an option of it, which somebody believes to be heeded, where
/// one is empty, or a key is without a certificate.
[[nodiscard]] Status check_tls_options(const RemoteUri& uri);

/// Returns one whose handshake() fails unless the server's certificate is valid for the host, by the authorities of
/// `cacert`, or those of the system. Reads all files anew, so that they may be replaced meanwhile. `socket`: as
/// plain_transport(). Errors: kIo, where a file cannot be read or is no such thing.
[[nodiscard]] Result<std::unique_ptr<Transport>> tls_transport(const RemoteUri& uri, int socket);

}  // namespace neardup::remote::redis
