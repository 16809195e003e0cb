// Redis as operators run it: with TLS and certificates of clients, with users who may do what the documents say, as a
// cluster. One of each for all tests of a program.
#pragma once

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "tests/unit/remote_redis/certificates.h"
#include "tests/unit/remote_redis/redis_server.h"

namespace neardup::remote {

inline RemoteUri plain_uri(const RedisServer::UriOptions& options, const std::string& name) {
  return shared_redis().uri(options, name);
}

/// It asks clients for their certificates.
inline const RedisServer& tls_redis() {
  struct Files {
    std::filesystem::path folder = testing::TempDir() + "neardup_tls_shared_" + std::to_string(getpid());
    Authority authority{folder, "ca"};
    Files() {
      authority.issue({.name = "server", .host = {}, .address = "127.0.0.1"});
      authority.issue({.name = "client", .host = {}, .address = {}});
    }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;
    ~Files() { std::filesystem::remove_all(folder); }
    [[nodiscard]] std::string path(const std::string& file) const { return folder / file; }
  };
  static const Files files;
  static const RedisServer server(
      {"--tls-cert-file", files.path("server.crt"), "--tls-key-file", files.path("server.key"), "--tls-ca-cert-file",
       files.path("ca.crt")},
      {{"cacert", files.path("ca.crt")}, {"cert", files.path("client.crt")}, {"key", files.path("client.key")}});
  return server;
}
inline RemoteUri tls_uri(const RedisServer::UriOptions& options, const std::string& name) {
  return tls_redis().uri(options, name);
}

/// Returns the line that a document of the project tells operators to make a user by.
inline std::string documented_acl(const std::string& file) {
  std::ifstream stream(std::string(NEARDUP_TEST_DATA) + "/../../docs/" + file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const size_t begin = text.find("`ACL SETUSER "), end = text.find('`', begin + 1);
  return begin == std::string::npos ? "" : text.substr(begin + 1, end - begin - 1);
}

/// Makes a user of one prefix, by such a line. Its password is "acl".
inline void make_user(const RedisServer& server, const std::string& name, const std::string& prefix,
                      const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word; words.push_back(word)) {
    if (word == "crawler") word = name;
    if (word == ">PASSWORD") word = ">acl";
    if (word == "~{PREFIX}*") word = "~{" + prefix + "}*";
  }
  redis::Request request;
  request.begin(words.size());
  for (const std::string& word : words) request.add(word);
  const auto replies = server.exchange(request);
  ASSERT_TRUE(replies) << replies.error().message;
  ASSERT_EQ(replies->text((*replies)[0]), "OK");
}

/// Of a user who may do what operators are told to allow, through TLS.
inline RemoteUri user_uri(const RedisServer::UriOptions& options, const std::string& name) {
  RemoteUri uri = tls_uri(options, name);
  uri.user = "user-" + name;
  uri.password = "acl";
  static std::set<std::string> users;
  if (users.insert(uri.user).second) make_user(tls_redis(), uri.user, name, documented_acl("operations.md"));
  return uri;
}

inline RedisServer::Words cluster_options() {
  return {"--cluster-enabled",
          "yes",
          "--cluster-port",
          std::to_string(RedisServer::free_port()),
          "--cluster-node-timeout",
          "60000",  // a node that a busy machine holds up is not taken for one that is gone
          "--repl-diskless-sync-delay",
          "0"};
}

/// Waits until a node says that all slots are served.
inline void wait_for_cluster(const RedisServer& node) {
  const auto is_well = [&] { return node.say({"CLUSTER", "INFO"}).find("cluster_state:ok") != std::string::npos; };
  ASSERT_TRUE(comes_true(is_well)) << node.say({"CLUSTER", "INFO"});
}

/// Of one node that has all slots.
inline RemoteUri cluster_uri(const RedisServer::UriOptions& options, const std::string& name) {
  struct Node : RedisServer {
    Node() : RedisServer(cluster_options()) {
      EXPECT_EQ(say({"CLUSTER", "ADDSLOTSRANGE", "0", "16383"}), "OK");
      wait_for_cluster(*this);
    }
  };
  static const Node node;
  return node.uri(options, name);
}

}  // namespace neardup::remote
