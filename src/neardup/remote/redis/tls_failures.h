// What failures of TLS are called, and what helps.
#pragma once

#include <gnutls/gnutls.h>

#include <string>

#include "neardup/remote/redis/transport.h"

namespace neardup::remote::redis {

struct TlsCircumstances {
  const std::string& server_name;  // that the certificate is to be for
  bool has_certificate = false;    // of the client
  bool has_received = false;       // anything but the handshake
};

/// Returns the failed transfer. Requires: a fatal error of that session.
[[nodiscard]] Transfer tls_failure(gnutls_session_t session, int error, const TlsCircumstances& circumstances);

}  // namespace neardup::remote::redis
