// A store on Redis through TLS: what it trusts, what it says where it does not, and that it waits no longer than asked.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "neardup/base/hash.h"
#include "neardup/remote/redis/redis_backend.h"
#include "tests/loopback_listener.h"
#include "tests/unit/remote_redis/certificates.h"
#include "tests/unit/remote_redis/redis_server.h"

namespace neardup::remote {
namespace {

using std::chrono::milliseconds;
using Words = RedisServer::Words;
using UriOptions = RedisServer::UriOptions;

store::StoreSettings tls_settings() {
  store::StoreSettings settings{.num_fingerprints = 0};
  settings.recipe_json = "{}";
  return settings;
}

class RedisTls : public testing::Test {
 protected:
  RedisTls() : folder_(testing::TempDir() + "neardup_tls_" + std::to_string(getpid())), ours_(folder_, "ours") {
    ours_.issue({.name = "server", .host = "localhost", .address = "127.0.0.1"});
  }
  ~RedisTls() override { std::filesystem::remove_all(folder_); }
  void SetUp() override {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "there is no /usr/bin/redis-server here (Debian: redis-server)";
  }

  [[nodiscard]] std::string file(const std::string& name) const { return ours_.path(name); }
  // Of a server with the certificate `name` that trusts clients of `ours`.
  [[nodiscard]] Words with(const std::string& name, bool asks_clients = false) const {
    return {"--tls-cert-file",    file(name + ".crt"), "--tls-key-file",     file(name + ".key"),
            "--tls-ca-cert-file", file("ours.crt"),    "--tls-auth-clients", asks_clients ? "yes" : "no"};
  }
  [[nodiscard]] UriOptions trusting(const std::string& name = "ours", UriOptions more = {}) const {
    more.emplace("cacert", file(name + ".crt"));
    return more;
  }
  // Returns why it cannot be reached, at once.
  std::string refusal(const RemoteUri& uri, Code code = Code::kIo) const {
    constexpr milliseconds kLimit{60'000};
    const auto begin = std::chrono::steady_clock::now();
    const auto is_there = is_redis_store(uri, {.connect_timeout = kLimit, .context = {}});
    EXPECT_FALSE(is_there);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kLimit / 2) << "tried again, though it cannot pass";
    if (is_there) return "none";
    EXPECT_EQ(is_there.error().code, code) << is_there.error().message;
    return is_there.error().message;
  }
  void expect_refusal(const RemoteUri& uri, const std::vector<std::string>& parts, Code code = Code::kIo) const {
    const std::string message = refusal(uri, code);
    for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  std::string folder_;
  Authority ours_;
};

std::string noise(size_t size, uint64_t seed) {
  std::string text(size, ' ');
  for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(mix64(seed * size + i));
  return text;
}

// A listener that says nothing.
class Silence {
 public:
  Silence() {
    uri_.tls = true;
    uri_.host = "127.0.0.1";
    uri_.port = listener_.port();
    uri_.name = "t";
  }
  /// But one word, to the first that comes.
  void answer(std::string_view word) const {
    const int client = listener_.accept();
    ASSERT_GE(client, 0);
    std::array<char, 4096> heard{};
    EXPECT_GT(recv(client, heard.data(), heard.size(), 0), 0);
    EXPECT_EQ(send(client, word.data(), word.size(), MSG_NOSIGNAL), static_cast<ssize_t>(word.size()));
    static_cast<void>(recv(client, heard.data(), heard.size(), 0));  // until it is told what that was
    close(client);
  }
  [[nodiscard]] const RemoteUri& uri() const { return uri_; }

 private:
  const LoopbackListener listener_;
  RemoteUri uri_;
};

// More than the socket takes at once, both ways.
void expect_large_records_go(const RemoteUri& uri) {
  constexpr uint64_t kCount = 6;
  auto backend = create_redis_backend(uri, tls_settings(), {}, {});
  ASSERT_TRUE(backend) << backend.error().message;
  const auto found = (*backend)->look_up({{}, {}, kCount, true});
  ASSERT_TRUE(found);
  std::vector<std::string> records;
  std::vector<StoredDocument> documents;
  std::vector<uint64_t> numbers;
  std::vector<Change> changes(kCount);
  for (uint64_t i = 0; i < kCount; ++i) records.push_back(noise(1 << 20, i));
  for (uint64_t i = 0; i < kCount; ++i) {
    numbers.push_back(found->first_reserved + i);
    documents.push_back({numbers[i], records[i], {}, {}});
  }
  for (uint64_t i = 0; i < kCount; ++i) changes[i].added = {&documents[i], 1};
  ASSERT_EQ(*(*backend)->commit(*found->seen, changes), std::vector<bool>(kCount, true));
  const auto read = (*backend)->read(numbers);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, records);
  EXPECT_TRUE(drop_redis_store(uri, {}));
}

TEST_F(RedisTls, AStoreWorksByBothVersions) {
  for (const char* version : {"TLSv1.2", "TLSv1.3"}) {
    Words words = with("server");
    words.insert(words.end(), {"--tls-protocols", version});
    const RedisServer server(words, trusting());
    expect_large_records_go(server.uri());
    RemoteUri by_name = server.uri();
    by_name.host = "localhost";
    expect_large_records_go(by_name);
  }
}

TEST_F(RedisTls, CertificatesThatAreNotTrustedAreRefusedByWhatIsWrongWithThem) {
  const Authority theirs(folder_, "theirs");
  ours_.issue({.name = "other", .host = "db.internal", .address = "10.0.0.7"});
  ours_.issue({.name = "old",
               .host = {},
               .address = "127.0.0.1",
               .begin = std::chrono::hours(-48),
               .end = std::chrono::hours(-1)});
  ours_.issue({.name = "young", .host = {}, .address = "127.0.0.1", .begin = std::chrono::hours(1)});
  {
    const RedisServer server(with("server"), trusting());
    RemoteUri uri = server.uri();
    uri.options = trusting("theirs");
    expect_refusal(uri, {"signed by none of the authorities", "?cacert=FILE", "rediss://127.0.0.1:"});
    uri.options.clear();  // those of the system
    expect_refusal(uri, {"signed by none of the authorities"});
    uri.options = trusting("server");  // itself is as good
    EXPECT_TRUE(is_redis_store(uri, {}));
  }
  {
    const RedisServer server(with("other"), trusting("ours", {{"server-name", "db.internal"}}));
    RemoteUri uri = server.uri();
    EXPECT_TRUE(is_redis_store(uri, {}));
    uri.options = trusting();
    expect_refusal(uri, {"is for 'db.internal', '10.0.0.7', not for '127.0.0.1'", "?server-name=NAME"});
  }
  for (const auto& [name, why] : {std::pair("old", "has expired"), std::pair("young", "is not valid yet")}) {
    const RedisServer server(with("server"), trusting());
    ASSERT_EQ(server.say({"CONFIG", "SET", "tls-cert-file", file(std::string(name) + ".crt"), "tls-key-file",
                          file(std::string(name) + ".key")}),
              "OK");
    expect_refusal(server.uri(), {why, "clock"});
  }
}

TEST_F(RedisTls, ClientsShowTheirCertificateWhereItIsAskedFor) {
  const Authority theirs(folder_, "theirs");
  ours_.issue({.name = "client", .host = {}, .address = {}});
  theirs.issue({.name = "stranger", .host = {}, .address = {}});
  const UriOptions ours = trusting("ours", {{"cert", file("client.crt")}, {"key", file("client.key")}});
  for (const char* version : {"TLSv1.2", "TLSv1.3"}) {
    Words words = with("server", true);
    words.insert(words.end(), {"--tls-protocols", version});
    const RedisServer server(words, ours);
    expect_large_records_go(server.uri());
    RemoteUri uri = server.uri();
    uri.options = trusting();
    expect_refusal(uri, {"asks for a certificate of the client", "?cert=FILE&key=FILE"});
    uri.options = trusting("ours", {{"cert", file("stranger.crt")}, {"key", file("stranger.key")}});
    expect_refusal(uri, {"does not accept the client's certificate"});
  }
}

// Whose files they are others may not read: root may, so it is somebody else who tries.
TEST_F(RedisTls, AFileThatMayNotBeReadIsNamed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can try to be somebody else";
  constexpr uid_t kNobody = 65534;
  const RedisServer server(with("server"), trusting());
  std::filesystem::permissions(file("ours.crt"), std::filesystem::perms::owner_read);
  ASSERT_EQ(seteuid(kNobody), 0);
  const std::string message = refusal(server.uri());
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_NE(message.find("cacert=" + file("ours.crt") + " cannot be used: "), std::string::npos) << message;
  EXPECT_NE(message.find("Permission denied; check the permissions"), std::string::npos) << message;
}

TEST_F(RedisTls, FilesThatCannotBeUsedAreNamed) {
  ours_.issue({.name = "client", .host = {}, .address = {}});
  const RedisServer server(with("server"), trusting());
  RemoteUri uri = server.uri();
  const auto expect_unusable = [&](const UriOptions& options, const std::string& which, const std::string& name,
                                   const std::string& why, const std::string& cure) {
    uri.options = options;
    expect_refusal(uri, {which + "=" + file(name) + " cannot be used: " + why, cure});
  };
  const auto with_client = [&](const std::string& certificate, const std::string& key) {
    return trusting("ours", {{"cert", file(certificate)}, {"key", file(key)}});
  };
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(file(name), std::ios::binary) << bytes;
  };
  write("empty.pem", "");
  write("der.pem", std::string("\x30\x82\x01\x0a\0\0", 6));
  write("damaged.crt", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  write("damaged.key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
  write("locked.key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
  write("trusted.crt", "-----BEGIN TRUSTED CERTIFICATE-----\nAAAA\n-----END TRUSTED CERTIFICATE-----\n");
  write("x509.crt", "-----BEGIN X509 CERTIFICATE-----\nAAAA\n-----END X509 CERTIFICATE-----\n");
  std::filesystem::create_directory(file("folder"));
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", file("zero"));
  for (const auto& [name, why, cure] : std::vector<std::array<const char*, 3>>{
           {"none.crt", "there is no such file", "name one that is there"},
           {"folder", "it is a folder", "name a file in it"},
           {"empty.pem", "it is empty", "name one that is not"},
           {"pipe", "it is no regular file", "name that"},
           {"zero", "it is no regular file", "name that"},
           {"trusted.crt", "it holds a certificate in a form of OpenSSL's own", "openssl x509 -in "},
           {"x509.crt", "", "it is damaged"},
           {"der.pem", "it is not in PEM", "-out NEW makes one in PEM"},
           {"server.key", "it holds a key and no certificate", "BEGIN CERTIFICATE"},
           {"damaged.crt", "", "it is damaged"}}) {
    expect_unusable({{"cacert", file(name)}}, "cacert", name, why, cure);
    expect_unusable(with_client(name, "client.key"), "cert", name, why, cure);
  }
  for (const auto& [name, why, cure] : std::vector<std::array<const char*, 3>>{
           {"none.key", "there is no such file", "name one that is there"},
           {"der.pem", "it is not in PEM", "openssl pkey -inform der -in "},
           {"client.crt", "there is no private key in it", "name the file that has it"},
           {"locked.key", "its key has a passphrase", "openssl pkey -in "},
           {"server.key", "it is not the key of cert=", "made together"},
           {"damaged.key", "", "it is damaged"}})
    expect_unusable(with_client("client.crt", name), "key", name, why, cure);
  expect_unusable(trusting("ours", {{"cert", file("client.crt")}}), "cert", "client.crt",
                  "there is no private key in it", "&key=FILE");
  std::filesystem::create_symlink(file("ours.crt"), file("linked.crt"));
  uri.options = trusting("linked");
  EXPECT_TRUE(is_redis_store(uri, {}));
  uri.options = trusting("ours", {{"key", file("client.key")}});
  expect_refusal(uri, {"add cert=FILE"}, Code::kInvalidArgument);
  for (const char* name : {"cacert", "cert", "key", "server-name"}) {
    uri.options = {{name, ""}};
    expect_refusal(uri, {std::string(name) + " is empty"}, Code::kInvalidArgument);
  }
  uri.options = trusting();
  uri.tls = false;
  expect_refusal(uri, {"cacert is of connections by TLS", "rediss://"}, Code::kInvalidArgument);
}

TEST_F(RedisTls, OneFileMayHoldCertificateAndKey) {
  ours_.issue({.name = "client", .host = {}, .address = {}});
  std::ofstream(file("both.pem")) << std::ifstream(file("client.crt")).rdbuf()
                                  << std::ifstream(file("client.key")).rdbuf();
  const RedisServer server(with("server", true), trusting("ours", {{"cert", file("both.pem")}}));
  EXPECT_TRUE(is_redis_store(server.uri(), {}));
}

TEST_F(RedisTls, APortOfTheOtherKindIsTold) {
  const RedisServer with_tls(with("server"), trusting()), without;
  const auto expect = [](const RemoteUri& uri, std::string_view cure) {
    const auto is_there = is_redis_store(uri, {.connect_timeout = milliseconds(300), .context = {}});
    ASSERT_FALSE(is_there);
    EXPECT_NE(is_there.error().message.find(cure), std::string::npos) << is_there.error().message;
  };
  RemoteUri uri = with_tls.uri();
  uri.tls = false;
  uri.options.clear();
  expect(uri, "write rediss://");
  uri = without.uri(trusting());
  uri.tls = true;
  expect(uri, "write redis://");
}

// What answers as Redis does to words it does not know.
TEST_F(RedisTls, AServerThatAnswersOtherwiseSpeaksNoTls) {
  Silence server;
  std::thread answer([&] { server.answer("-ERR unknown command\r\n"); });
  expect_refusal(server.uri(), {"speaks no TLS on this port", "write redis://"});
  answer.join();
}

TEST_F(RedisTls, AHandshakeIsWaitedForNoLongerThanAsked) {
  const Silence server;
  const auto begin = std::chrono::steady_clock::now();
  const auto is_there = is_redis_store(server.uri(), {.connect_timeout = milliseconds(200), .context = {}});
  const auto took = std::chrono::steady_clock::now() - begin;
  ASSERT_FALSE(is_there);
  EXPECT_NE(is_there.error().message.find("no answer within 200 ms to the handshake of TLS"), std::string::npos)
      << is_there.error().message;
  EXPECT_GE(took, milliseconds(200));
  EXPECT_LT(took, RemoteOptions().connect_timeout) << "waited for another limit";
}

TEST_F(RedisTls, AHandshakeCanBeStopped) {
  const Silence server;
  std::atomic<bool> cancel = false;
  std::thread later([&] {
    std::this_thread::sleep_for(milliseconds(100));
    cancel = true;
  });
  const auto is_there = is_redis_store(server.uri(), {.context = {nullptr, &cancel}});
  later.join();
  ASSERT_FALSE(is_there);
  EXPECT_EQ(is_there.error().code, Code::kCancelled) << is_there.error().message;
}

TEST_F(RedisTls, AServerThatDiesIsToldAndFoundAgain) {
  Words words = with("server");
  words.insert(words.end(), {"--appendonly", "yes", "--appendfsync", "always"});
  RedisServer server(words, trusting());
  RemoteOptions options;
  options.connect_timeout = milliseconds(3000);
  const auto backend = create_redis_backend(server.uri(), tls_settings(), options, {});
  ASSERT_TRUE(backend) << backend.error().message;
  ASSERT_TRUE((*backend)->reserve_numbers(1));
  std::atomic<bool> ends = false;
  std::atomic<uint64_t> times = 0;
  std::thread asks([&] {
    for (uint64_t last = 0; !ends; ++times) {
      const auto number = (*backend)->reserve_numbers(1);  // asked again until the server is back
      EXPECT_TRUE(number) << number.error().message;
      if (!number) return;
      EXPECT_GT(*number, last);
      last = *number;
    }
  });
  for (int i = 0; i < 3; ++i) {
    const uint64_t before = times;
    EXPECT_TRUE(comes_true([&] { return times >= before + 20; }));
    server.stop();
    server.start();
  }
  ends = true;
  asks.join();
  server.stop();
  options.connect_timeout = milliseconds(200);
  const auto gone = is_redis_store(server.uri(), options);
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().message.find("cannot connect"), std::string::npos) << gone.error().message;
}

}  // namespace
}  // namespace neardup::remote
