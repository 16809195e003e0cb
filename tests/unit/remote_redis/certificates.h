// Certificates of a test's own, in files.
#pragma once

#include <arpa/inet.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace neardup::remote {

/// Who signs certificates; by itself its own.
class Authority {
 public:
  struct Wanted {
    std::string name;               // of the files NAME.crt and NAME.key
    std::string host, address;      // that it is for, where it is of a server
    std::chrono::hours begin{-24};  // of its time, from now
    std::chrono::hours end{24};
  };

  Authority(const std::filesystem::path& folder, const std::string& name) : folder_(folder) {
    std::filesystem::create_directories(folder);
    make_key(key_);
    make_certificate(certificate_, {.name = name, .host = {}, .address = {}}, key_, true);
    sign(certificate_, certificate_, key_);
    write(path(name + ".crt"), certificate_);
  }
  Authority(const Authority&) = delete;
  Authority& operator=(const Authority&) = delete;
  ~Authority() {
    gnutls_x509_crt_deinit(certificate_);
    gnutls_x509_privkey_deinit(key_);
  }

  [[nodiscard]] std::string path(const std::string& file) const { return folder_ / file; }
  void issue(const Wanted& wanted) const {
    gnutls_x509_privkey_t key = nullptr;
    gnutls_x509_crt_t certificate = nullptr;
    make_key(key);
    make_certificate(certificate, wanted, key, false);
    sign(certificate, certificate_, key_);
    write(path(wanted.name + ".crt"), certificate);
    gnutls_datum_t text{};
    EXPECT_EQ(gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &text), 0);
    write(path(wanted.name + ".key"), text);
    gnutls_x509_crt_deinit(certificate);
    gnutls_x509_privkey_deinit(key);
  }

 private:
  static void make_key(gnutls_x509_privkey_t& key) {
    ASSERT_EQ(gnutls_x509_privkey_init(&key), 0);
    ASSERT_EQ(gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0),
              0);
  }

  static void make_certificate(gnutls_x509_crt_t& out, const Wanted& wanted, gnutls_x509_privkey_t key,
                               bool is_authority) {
    using Clock = std::chrono::system_clock;
    static unsigned char serial = 0;
    ++serial;
    ASSERT_EQ(gnutls_x509_crt_init(&out), 0);
    gnutls_x509_crt_set_version(out, 3);
    gnutls_x509_crt_set_serial(out, &serial, 1);
    gnutls_x509_crt_set_activation_time(out, Clock::to_time_t(Clock::now() + wanted.begin));
    gnutls_x509_crt_set_expiration_time(out, Clock::to_time_t(Clock::now() + wanted.end));
    gnutls_x509_crt_set_dn_by_oid(out, GNUTLS_OID_X520_COMMON_NAME, 0, wanted.name.data(),
                                  static_cast<unsigned>(wanted.name.size()));
    gnutls_x509_crt_set_basic_constraints(out, is_authority ? 1 : 0, -1);
    gnutls_x509_crt_set_key_usage(out, is_authority ? GNUTLS_KEY_KEY_CERT_SIGN : GNUTLS_KEY_DIGITAL_SIGNATURE);
    if (!wanted.host.empty())
      gnutls_x509_crt_set_subject_alt_name(out, GNUTLS_SAN_DNSNAME, wanted.host.data(),
                                           static_cast<unsigned>(wanted.host.size()), GNUTLS_FSAN_APPEND);
    in_addr address{};
    if (inet_pton(AF_INET, wanted.address.c_str(), &address) == 1)
      gnutls_x509_crt_set_subject_alt_name(out, GNUTLS_SAN_IPADDRESS, &address, sizeof address, GNUTLS_FSAN_APPEND);
    ASSERT_EQ(gnutls_x509_crt_set_key(out, key), 0);
  }

  static void sign(gnutls_x509_crt_t certificate, gnutls_x509_crt_t by, gnutls_x509_privkey_t key) {
    ASSERT_EQ(gnutls_x509_crt_sign2(certificate, by, key, GNUTLS_DIG_SHA256, 0), 0);
  }

  static void write(const std::string& path, gnutls_x509_crt_t certificate) {
    gnutls_datum_t text{};
    ASSERT_EQ(gnutls_x509_crt_export2(certificate, GNUTLS_X509_FMT_PEM, &text), 0);
    write(path, text);
  }
  static void write(const std::string& path, gnutls_datum_t& text) {
    std::ofstream(path).write(reinterpret_cast<const char*>(text.data), text.size);
    gnutls_free(text.data);
  }

  std::filesystem::path folder_;
  gnutls_x509_privkey_t key_ = nullptr;
  gnutls_x509_crt_t certificate_ = nullptr;
};

}  // namespace neardup::remote
