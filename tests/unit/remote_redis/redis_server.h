// A real Redis server of a test's own: on a free port of this machine, with a folder that goes with it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "neardup/remote/redis/connection.h"
#include "tests/loopback_listener.h"

namespace neardup::remote {

/// Waits for 10 s at most; returns whether it is so.
template <class IsSo>
bool comes_true(const IsSo& is_so) {
  for (int tries = 0; tries < 1000 && !is_so(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return is_so();
}

class RedisServer {
 public:
  using Words = std::vector<std::string>;
  using UriOptions = std::map<std::string, std::string, std::less<>>;

  /// Returns whether there is a redis-server here.
  static bool is_installed() { return access(kProgram, X_OK) == 0; }

  explicit RedisServer(Words options = {}) : RedisServer(std::move(options), {}, false) {}
  /// One that speaks TLS alone; `reach`: what a URI to it needs.
  RedisServer(Words options, UriOptions reach) : RedisServer(std::move(options), std::move(reach), true) {}
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;
  ~RedisServer() {
    stop();
    std::error_code problem;  // a child that writes a file anew may take a moment longer
    for (int tries = 0; tries < 500 && (std::filesystem::remove_all(folder_, problem), problem); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(problem) << problem.message();
  }

  [[nodiscard]] RemoteUri uri(UriOptions options = {}, const std::string& name = "t") const {
    RemoteUri uri;
    uri.tls = tls_;
    uri.host = "127.0.0.1";
    uri.port = port_;
    uri.name = name;
    uri.options = std::move(options);
    uri.options.insert(reach_.begin(), reach_.end());
    return uri;
  }
  [[nodiscard]] uint16_t port() const { return port_; }

  void start() {
    Words words = {kProgram,
                   tls_ ? "--tls-port" : "--port",
                   std::to_string(port_),
                   "--bind",
                   "127.0.0.1",
                   "--dir",
                   folder_,
                   "--save",
                   "",
                   "--appendonly",
                   "no",
                   "--logfile",
                   folder_ + "/log"};
    if (tls_) words.insert(words.end(), {"--port", "0"});
    words.insert(words.end(), options_.begin(), options_.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that crashes leaves no server behind
      execv(kProgram, argv.data());
      _exit(127);
    }
    ASSERT_GT(pid_, 0);
    ASSERT_TRUE(comes_true([this] { return answers(); })) << "no answer on port " << port_;
  }
  /// It takes connections, and answers nothing.
  void set_silent(bool silent) const { ASSERT_EQ(kill(pid_, silent ? SIGSTOP : SIGCONT), 0); }
  /// As if its machine had failed.
  void stop() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

  static uint16_t free_port() { return LoopbackListener().port(); }
  /// Sends commands to this server itself, whichever node of a cluster has what they are about.
  Result<redis::Replies> exchange(const redis::Request& request) const {
    bool may_pass = false;
    NEARDUP_ASSIGN(const auto connection, redis::Connection::open(uri(), {}, may_pass));
    return connection->exchange(request);
  }
  /// Sends one command; returns the text of the answer, or the error.
  std::string say(std::initializer_list<std::string_view> words) const {
    redis::Request request;
    request.command(words);
    const auto replies = exchange(request);
    if (!replies) return replies.error().message;
    const auto& reply = (*replies)[0];
    return reply.type == redis::ReplyType::kInteger ? std::to_string(reply.integer) : std::string(replies->text(reply));
  }

 private:
  RedisServer(Words options, UriOptions reach, bool tls)
      : options_(std::move(options)), reach_(std::move(reach)), tls_(tls), port_(free_port()) {
    folder_ = testing::TempDir() + "neardup_redis_XXXXXX";
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    start();
  }

  static constexpr const char* kProgram = "/usr/bin/redis-server";

  [[nodiscard]] bool answers() const {
    const std::string answer = say({"PING"});  // NOAUTH: it is there and wants a password
    return answer.find("PONG") != std::string::npos || answer.find("NOAUTH") != std::string::npos;
  }

  Words options_;
  UriOptions reach_;
  bool tls_;
  uint16_t port_;
  std::string folder_;
  pid_t pid_ = 0;
};

/// One for all tests of a program that ask for no other.
inline RedisServer& shared_redis() {
  static RedisServer server;
  return server;
}

}  // namespace neardup::remote
