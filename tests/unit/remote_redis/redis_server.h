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
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "neardup/remote/redis/connection.h"
#include "tests/comes_true.h"
#include "tests/loopback_listener.h"

namespace neardup::remote {

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

  /// Again, after stop(), on the same port.
  void start() {
    run();
    ASSERT_TRUE(comes_up()) << "no answer on port " << port_;
  }
  /// It takes connections, and answers nothing.
  void set_silent(bool silent) const {
    ASSERT_GT(pid_, 0);
    ASSERT_EQ(kill(pid_, silent ? SIGSTOP : SIGCONT), 0);
  }
  /// As if its machine had failed.
  void stop() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

  /// Returns a port that nobody has, of those that the system gives to nobody who asks for any: neither to a listener
  /// of another test nor to a client, which may be one that tries to reach a server that is down.
  static uint16_t free_port() {
    static std::mt19937 random(std::random_device{}());
    while (true) {
      const auto port = static_cast<uint16_t>(20'000 + random() % 12'000);
      if (is_free(port)) return port;
    }
  }
  /// Sends commands to this server itself, whichever node of a cluster has what they are about.
  Result<redis::Replies> exchange(const redis::Request& request) const {
    bool is_transient = false;
    NEARDUP_ASSIGN(const auto connection, redis::Connection::open(uri(), {}, is_transient));
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
      : options_(std::move(options)), reach_(std::move(reach)), tls_(tls) {
    folder_ = testing::TempDir() + "neardup_redis_XXXXXX";
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    for (int tries = 0; tries < 10 && pid_ == 0; ++tries) {  // somebody else's server may be quicker on a free port
      port_ = free_port();
      run();
      if (!comes_up()) stop();
    }
    EXPECT_GT(pid_, 0) << "no answer on port " << port_;
  }

  static constexpr const char* kProgram = "/usr/bin/redis-server";

  static bool is_free(uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0), on = 1;
    static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
    const sockaddr_in address = loopback_address(port);
    const bool is_free = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return is_free;
  }
  void run() {
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
  }
  /// Returns whether it answers, and not another one that has the port; not where it ended.
  bool comes_up() {
    bool is_there = false;
    comes_true([&] { return (is_there = answers()) || has_ended(); });
    return is_there;
  }
  bool has_ended() {
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = 0;
    return pid_ == 0;
  }
  [[nodiscard]] bool answers() const {
    const std::string answer = say({"INFO", "server"});  // NOAUTH: it is there and wants a password
    return answer.find("process_id:" + std::to_string(pid_) + "\r") != std::string::npos ||
           answer.find("NOAUTH") != std::string::npos;
  }

  Words options_;
  UriOptions reach_;
  bool tls_;
  uint16_t port_ = 0;
  std::string folder_;
  pid_t pid_ = 0;
};

/// One for all tests of a program that ask for no other.
inline RedisServer& shared_redis() {
  static RedisServer server;
  return server;
}

}  // namespace neardup::remote
