#include "neardup/remote/redis/tls_transport.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gnutls/gnutls.h>

#include "neardup/remote/redis/tls_failures.h"
#include "neardup/remote/redis/tls_files.h"

namespace neardup::remote::redis {
namespace {

bool is_address(const std::string& host) {
  in6_addr bytes{};
  return inet_pton(AF_INET, host.c_str(), &bytes) == 1 || inet_pton(AF_INET6, host.c_str(), &bytes) == 1;
}

class TlsTransport : public Transport {
 public:
  explicit TlsTransport(const RemoteUri& uri)
      : server_name_(uri.options.contains("server-name") ? option_of(uri, "server-name") : uri.host),
        has_certificate_(uri.options.contains("cert")) {}
  TlsTransport(const TlsTransport&) = delete;
  TlsTransport& operator=(const TlsTransport&) = delete;
  ~TlsTransport() override {
    if (session_ != nullptr) gnutls_deinit(session_);
    if (credentials_ != nullptr) gnutls_certificate_free_credentials(credentials_);
  }

  Status load_files(const RemoteUri& uri) {
    if (gnutls_certificate_allocate_credentials(&credentials_) != GNUTLS_E_SUCCESS) return no_memory();
    return load_tls_files(uri, credentials_);
  }

  Status begin(int socket) {
    // A certificate is sent whichever authorities the server names, so that it can say what is wrong with it.
    constexpr unsigned kFlags =
        GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL | GNUTLS_NO_TICKETS | GNUTLS_FORCE_CLIENT_CERT;
    if (gnutls_init(&session_, kFlags) != GNUTLS_E_SUCCESS ||
        gnutls_set_default_priority_append(session_, "-VERS-TLS1.0:-VERS-TLS1.1", nullptr, 0) != GNUTLS_E_SUCCESS ||
        gnutls_credentials_set(session_, GNUTLS_CRD_CERTIFICATE, credentials_) != GNUTLS_E_SUCCESS)
      return no_memory();
    if (!is_address(server_name_) &&
        gnutls_server_name_set(session_, GNUTLS_NAME_DNS, server_name_.data(), server_name_.size()) < 0)
      return no_memory();
    gnutls_session_set_verify_cert(session_, server_name_.c_str(), 0);
    gnutls_transport_set_int(session_, socket);
    return {};
  }

  Transfer handshake() override {
    int error = GNUTLS_E_SUCCESS;
    do error = gnutls_handshake(session_);
    while (error != GNUTLS_E_AGAIN && error < 0 && gnutls_error_is_fatal(error) == 0);  // a warning of the server
    return result_of(error);
  }
  Transfer send(std::string_view bytes) override {
    return result_of(gnutls_record_send(session_, bytes.data(), bytes.size()));
  }
  Transfer receive(std::span<char> room) override {
    const ssize_t got = gnutls_record_recv(session_, room.data(), room.size());
    has_received_ = has_received_ || got > 0;
    return result_of(got == 0 ? GNUTLS_E_PREMATURE_TERMINATION : got);
  }

 private:
  static Status no_memory() { return fail(Code::kMemory, "no memory for a connection"); }

  Transfer result_of(ssize_t size) const {
    if (size >= 0) return {TransferState::kDone, static_cast<size_t>(size), {}, {}};
    const int error = static_cast<int>(size);
    if (gnutls_error_is_fatal(error) != 0)
      return tls_failure(session_, error, {server_name_, has_certificate_, has_received_});
    if (error != GNUTLS_E_AGAIN) return {};  // nothing came, and it goes on
    return {gnutls_record_get_direction(session_) == 0 ? TransferState::kWantsToRead : TransferState::kWantsToWrite,
            0,
            {},
            {}};
  }

  std::string server_name_;  // the session holds a pointer to it
  bool has_certificate_, has_received_ = false;
  gnutls_certificate_credentials_t credentials_ = nullptr;
  gnutls_session_t session_ = nullptr;
};

}  // namespace

Status check_tls_options(const RemoteUri& uri) {
  for (const std::string_view name : kTlsOptions) {
    if (!uri.options.contains(name)) continue;
    if (!uri.tls)
      return fail(Code::kInvalidArgument,
                  fmt::format("{}: {} is of connections by TLS, and this one has none; write rediss:// for redis://",
                              uri.shown(), name));
    if (option_of(uri, name).empty())
      return fail(Code::kInvalidArgument,
                  fmt::format("{}: {} is empty; give it a value, or leave it out", uri.shown(), name));
  }
  if (uri.options.contains("key") && !uri.options.contains("cert"))
    return fail(Code::kInvalidArgument, fmt::format("{}: key is of a certificate; add cert=FILE", uri.shown()));
  return {};
}

Result<std::unique_ptr<Transport>> tls_transport(const RemoteUri& uri, int socket) {
  auto transport = std::make_unique<TlsTransport>(uri);
  NEARDUP_TRY(transport->load_files(uri));
  NEARDUP_TRY(transport->begin(socket));
  return transport;
}

}  // namespace neardup::remote::redis
