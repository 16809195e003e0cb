// The files that a connection by TLS is told of: authorities, the client's certificate and its key, in PEM.
#pragma once

#include <gnutls/gnutls.h>

#include <string>

#include "neardup/base/result.h"
#include "neardup/remote/remote_uri.h"

namespace neardup::remote::redis {

/// Returns the value of an option; empty where there is none.
[[nodiscard]] std::string option_of(const RemoteUri& uri, std::string_view name);

/// Puts what the URI names into `credentials`: `cacert`, or else the authorities of the system, where GnuTLS was built
/// to look for them (Debian's: /etc/ssl/certs/ca-certificates.crt), and `cert` with `key`, or with the key in itself.
/// Errors: kIo, with the option, the file, what is wrong with it and the cure.
[[nodiscard]] Status load_tls_files(const RemoteUri& uri, gnutls_certificate_credentials_t credentials);

}  // namespace neardup::remote::redis
