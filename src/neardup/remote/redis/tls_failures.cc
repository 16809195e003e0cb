#include "neardup/remote/redis/tls_failures.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gnutls/x509.h>

#include <array>

namespace neardup::remote::redis {
namespace {

Transfer failed(std::string why, std::string cure) {
  return {TransferState::kFailed, 0, std::move(why), std::move(cure)};
}

struct Doubt {
  unsigned status;
  const char *why, *cure;
};
// Of the server's certificate; the first one that applies is told.
constexpr Doubt kDoubts[] = {
    {GNUTLS_CERT_EXPIRED, "has expired", "renew it on the server; is the clock of this machine right?"},
    {GNUTLS_CERT_NOT_ACTIVATED, "is not valid yet", "see the clocks of this machine and of the server"},
    {GNUTLS_CERT_REVOKED, "was revoked", "give the server another one"},
    {GNUTLS_CERT_SIGNER_NOT_FOUND, "is signed by none of the authorities that are trusted here",
     "name a file with the certificate of the one that signed it: ?cacert=FILE"},
};

// One of the names that a certificate is for; empty of kinds that no host has.
std::string name_of(gnutls_x509_crt_t certificate, unsigned i) {
  std::array<char, 256> name{};
  size_t size = name.size();
  const int kind = gnutls_x509_crt_get_subject_alt_name(certificate, i, name.data(), &size, nullptr);
  if (kind == GNUTLS_SAN_DNSNAME) return {name.data(), size};
  std::array<char, INET6_ADDRSTRLEN> address{};
  if (kind == GNUTLS_SAN_IPADDRESS)
    inet_ntop(size == sizeof(in_addr) ? AF_INET : AF_INET6, name.data(), address.data(), address.size());
  return address.data();
}

// The first names of the server's certificate, or whose it is where it has none.
std::string names_of(gnutls_session_t session) {
  constexpr unsigned kMostNames = 4;
  unsigned count = 0;
  const gnutls_datum_t* chain = gnutls_certificate_get_peers(session, &count);
  gnutls_x509_crt_t certificate = nullptr;
  if (count == 0 || gnutls_x509_crt_init(&certificate) < 0) return "nothing";
  std::string names;
  if (gnutls_x509_crt_import(certificate, chain, GNUTLS_X509_FMT_DER) >= 0) {
    for (unsigned i = 0; i < kMostNames; ++i)
      if (const std::string name = name_of(certificate, i); !name.empty())
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
    std::array<char, 256> owner{};
    size_t size = owner.size();
    if (names.empty() && gnutls_x509_crt_get_dn(certificate, owner.data(), &size) >= 0)
      names = fmt::format("'{}'", std::string_view(owner.data(), size));
  }
  gnutls_x509_crt_deinit(certificate);
  return names.empty() ? "nothing" : names;
}

Transfer doubt_of(gnutls_session_t session, const std::string& server_name) {
  const unsigned status = gnutls_session_get_verify_cert_status(session);
  for (const Doubt& doubt : kDoubts)
    if ((status & doubt.status) != 0) return failed(fmt::format("the server's certificate {}", doubt.why), doubt.cure);
  if ((status & GNUTLS_CERT_UNEXPECTED_OWNER) != 0)
    return failed(fmt::format("the server's certificate is for {}, not for '{}'", names_of(session), server_name),
                  "name the server as its certificate does, or say whose it is to be: ?server-name=NAME");
  gnutls_datum_t text{};
  std::string why = "the server's certificate is not valid";
  if (gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0) >= 0) {
    why += fmt::format(": {}", reinterpret_cast<const char*>(text.data));
    gnutls_free(text.data);
  }
  return failed(std::move(why), "give the server another one");
}

Transfer certificate_is_missing() {
  return failed("the server asks for a certificate of the client", "name its files: ?cert=FILE&key=FILE");
}

Transfer alert_of(gnutls_session_t session, bool has_certificate) {
  const gnutls_alert_description_t alert = gnutls_alert_get(session);
  const char* name = gnutls_alert_get_name(alert);
  const bool was_asked = gnutls_certificate_client_get_request_status(session) != 0;
  switch (alert) {
    case GNUTLS_A_CERTIFICATE_REQUIRED:
    case GNUTLS_A_HANDSHAKE_FAILURE:
      if (was_asked && !has_certificate) return certificate_is_missing();
      break;
    case GNUTLS_A_UNKNOWN_CA:
    case GNUTLS_A_BAD_CERTIFICATE:
    case GNUTLS_A_CERTIFICATE_EXPIRED:
    case GNUTLS_A_CERTIFICATE_REVOKED:
    case GNUTLS_A_CERTIFICATE_UNKNOWN:
    case GNUTLS_A_UNSUPPORTED_CERTIFICATE:
      return failed(
          fmt::format("the server does not accept the client's certificate: {}", name),
          "let cert=FILE be a valid one of an authority that the server trusts (its setting tls-ca-cert-file)");
    case GNUTLS_A_PROTOCOL_VERSION:
      return failed("the server does not speak TLS 1.2 or newer", "let it do so (its setting tls-protocols)");
    default:
      break;
  }
  return failed(fmt::format("the server refuses TLS: {}", name == nullptr ? "for no reason it tells" : name),
                "its log may say why");
}

bool is_end(int error) {
  return error == GNUTLS_E_PREMATURE_TERMINATION || error == GNUTLS_E_PULL_ERROR || error == GNUTLS_E_PUSH_ERROR ||
         error == GNUTLS_E_INVALID_SESSION || error == GNUTLS_E_SESSION_EOF;
}

bool is_no_tls(int error) {
  return error == GNUTLS_E_UNSUPPORTED_VERSION_PACKET || error == GNUTLS_E_UNEXPECTED_PACKET ||
         error == GNUTLS_E_UNEXPECTED_PACKET_LENGTH || error == GNUTLS_E_RECORD_OVERFLOW;
}

}  // namespace

Transfer tls_failure(gnutls_session_t session, int error, const TlsCircumstances& circumstances) {
  if (error == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR) return doubt_of(session, circumstances.server_name);
  if (error == GNUTLS_E_FATAL_ALERT_RECEIVED) return alert_of(session, circumstances.has_certificate);
  if (!circumstances.has_received && is_no_tls(error))
    return failed("the server speaks no TLS on this port", "give its port for TLS, or write redis:// for rediss://");
  if (!is_end(error)) return failed(fmt::format("TLS failed: {}", gnutls_strerror(error)), "");
  // The alert is lost where the server ends the connection over what was sent meanwhile.
  const bool was_asked = !circumstances.has_received && gnutls_certificate_client_get_request_status(session) != 0;
  if (was_asked && !circumstances.has_certificate) return certificate_is_missing();
  return failed(was_asked ? "the server ended the connection before it answered anything (as one does that does not "
                            "accept the client's certificate, cert=FILE)"
                          : "the server ended the connection",
                "");
}

}  // namespace neardup::remote::redis
