#include "neardup/remote/redis/tls_files.h"

#include <fmt/format.h>
#include <gnutls/x509.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "neardup/base/disk/file.h"
#include "neardup/base/shell_word.h"

namespace neardup::remote::redis {
namespace {

constexpr uint64_t kMostBytes = uint64_t{64} << 20;  // all authorities of a system take less than one MiB
// As lines of PEM end, and as those begin that GnuTLS reads certificates of.
constexpr std::string_view kKey = "PRIVATE KEY-----";
constexpr std::array<std::string_view, 2> kCertificates = {"BEGIN CERTIFICATE-----", "BEGIN X509 CERTIFICATE-----"};

// A file that an option names.
class TlsFile {
 public:
  static Result<TlsFile> read(const RemoteUri& uri, std::string_view option) {
    TlsFile file(uri, option);
    const auto info = file_info(file.path_);
    if (!info && info.error().code == Code::kNotFound)
      return file.unusable("there is no such file", "name one that is there, by its whole path");
    if (info && info->is_directory) return file.unusable("it is a folder", "name a file in it");
    if (info && !info->is_regular)  // opening a pipe may wait for ever
      return file.unusable("it is no regular file", "write what it gives into a file, and name that");
    auto bytes = read_file(file.path_, kMostBytes);
    if (!bytes) return file.unusable(bytes.error().message);  // which has its cure
    file.bytes_ = std::move(*bytes);
    NEARDUP_TRY(file.check_pem());
    return file;
  }

  [[nodiscard]] bool has(std::string_view end_of_line) const { return bytes_.find(end_of_line) != std::string::npos; }
  [[nodiscard]] bool has_passphrase() const {
    return has("BEGIN ENCRYPTED PRIVATE KEY") || has("Proc-Type: 4,ENCRYPTED");
  }
  [[nodiscard]] Status check_has_certificate() const {
    if (std::ranges::any_of(kCertificates, [&](auto line) { return has(line); })) return {};
    if (has("BEGIN TRUSTED CERTIFICATE-----"))
      return unusable("it holds a certificate in a form of OpenSSL's own (-----BEGIN TRUSTED CERTIFICATE-----)",
                      fmt::format("openssl x509 -in {} -out NEW writes it as all read it", typed_path()));
    return unusable(has(kKey) ? "it holds a key and no certificate" : "it holds no certificate",
                    "name the file in PEM that does (-----BEGIN CERTIFICATE-----)");
  }
  [[nodiscard]] gnutls_datum_t datum() const {
    return {reinterpret_cast<unsigned char*>(const_cast<char*>(bytes_.data())), static_cast<unsigned>(bytes_.size())};
  }
  [[nodiscard]] std::string shown() const { return fmt::format("{}={}", option_, path_); }
  [[nodiscard]] std::string typed_path() const { return shell_word(path_); }
  [[nodiscard]] tl::unexpected<Error> unusable(std::string_view why, std::string_view cure = {}) const {
    return fail(Code::kIo, fmt::format("{}: {} cannot be used: {}{}{}", uri_.shown(), shown(), why,
                                       cure.empty() ? "" : "; ", cure));
  }

 private:
  TlsFile(const RemoteUri& uri, std::string_view option) : uri_(uri), option_(option), path_(option_of(uri, option)) {}

  [[nodiscard]] Status check_pem() const {
    if (has("-----BEGIN ")) return {};
    if (bytes_.empty()) return unusable("it is empty", "name one that is not");
    const std::string_view word = option_ == "key" ? "pkey" : "x509";
    return unusable(
        "it is not in PEM (it has no line -----BEGIN ...)",
        fmt::format("of a file in DER openssl {} -inform der -in {} -out NEW makes one in PEM", word, typed_path()));
  }

  const RemoteUri& uri_;
  std::string_view option_;
  std::string path_, bytes_;
};

Status trust(const RemoteUri& uri, gnutls_certificate_credentials_t credentials) {
  if (!uri.options.contains("cacert")) {
    gnutls_certificate_set_x509_system_trust(credentials);  // where there are none nothing is trusted
    return {};
  }
  NEARDUP_ASSIGN(const TlsFile file, TlsFile::read(uri, "cacert"));
  NEARDUP_TRY(file.check_has_certificate());
  const gnutls_datum_t bytes = file.datum();
  const int count = gnutls_certificate_set_x509_trust_mem(credentials, &bytes, GNUTLS_X509_FMT_PEM);
  if (count > 0) return {};
  return file.unusable(gnutls_strerror(count == 0 ? GNUTLS_E_NO_CERTIFICATE_FOUND : count),
                       "it is damaged: get it anew");
}

// Certificates and a key, each read by itself: so it is known which one is damaged, and nothing is lost where GnuTLS
// gives up between two (gnutls_certificate_set_x509_key_mem() of 3.7 leaks a certificate then).
class CertifiedKey {
 public:
  CertifiedKey() = default;
  CertifiedKey(const CertifiedKey&) = delete;
  CertifiedKey& operator=(const CertifiedKey&) = delete;
  ~CertifiedKey() {
    for (unsigned i = 0; i < count_; ++i) gnutls_x509_crt_deinit(certificates_[i]);
    gnutls_free(certificates_);
    gnutls_x509_privkey_deinit(key_);
  }

  Status read(const TlsFile& certificate, const TlsFile& key) {
    const gnutls_datum_t certificate_bytes = certificate.datum(), key_bytes = key.datum();
    int error = gnutls_x509_crt_list_import2(&certificates_, &count_, &certificate_bytes, GNUTLS_X509_FMT_PEM, 0);
    if (error < 0) return damaged(certificate, error);
    error = gnutls_x509_privkey_init(&key_);
    if (error >= 0) error = gnutls_x509_privkey_import2(key_, &key_bytes, GNUTLS_X509_FMT_PEM, nullptr, 0);
    return error < 0 ? damaged(key, error) : Status();
  }
  // Returns what GnuTLS says; it keeps copies.
  [[nodiscard]] int put_into(gnutls_certificate_credentials_t credentials) const {
    return gnutls_certificate_set_x509_key(credentials, certificates_, static_cast<int>(count_), key_);
  }

 private:
  static Status damaged(const TlsFile& file, int error) {
    return file.unusable(gnutls_strerror(error), "it is damaged: get it anew");
  }

  gnutls_x509_crt_t* certificates_ = nullptr;
  unsigned count_ = 0;
  gnutls_x509_privkey_t key_ = nullptr;
};

Status show_certificate(const RemoteUri& uri, gnutls_certificate_credentials_t credentials) {
  if (!uri.options.contains("cert")) return {};
  NEARDUP_ASSIGN(const TlsFile certificate, TlsFile::read(uri, "cert"));
  NEARDUP_TRY(certificate.check_has_certificate());
  const bool is_one_file = !uri.options.contains("key");
  NEARDUP_ASSIGN(const TlsFile key, is_one_file ? Result<TlsFile>(certificate) : TlsFile::read(uri, "key"));
  if (!key.has(kKey))
    return key.unusable("there is no private key in it",
                        is_one_file ? "name the file that has it: &key=FILE" : "name the file that has it");
  if (key.has_passphrase())
    return key.unusable("its key has a passphrase, which nobody could be asked for",
                        fmt::format("openssl pkey -in {} -out NEW writes it without", key.typed_path()));
  CertifiedKey both;
  NEARDUP_TRY(both.read(certificate, key));
  const int error = both.put_into(credentials);
  if (error == GNUTLS_E_CERTIFICATE_KEY_MISMATCH)
    return key.unusable(fmt::format("it is not the key of {}", certificate.shown()),
                        "name two files that were made together");
  return error < 0 ? certificate.unusable(gnutls_strerror(error)) : Status();
}

}  // namespace

std::string option_of(const RemoteUri& uri, std::string_view name) {
  const auto found = uri.options.find(name);
  return found == uri.options.end() ? std::string() : found->second;
}

Status load_tls_files(const RemoteUri& uri, gnutls_certificate_credentials_t credentials) {
  NEARDUP_TRY(trust(uri, credentials));
  return show_certificate(uri, credentials);
}

}  // namespace neardup::remote::redis
