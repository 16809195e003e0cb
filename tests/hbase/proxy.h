// A port of this machine through which connections go on to another one, until they are cut.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/loopback_listener.h"

namespace neardup::remote {

/// Threads: cut() from any.
class Proxy {
 public:
  explicit Proxy(uint16_t to) : to_(to), accepting_([this] { accept_all(); }) {}
  ~Proxy() {
    ::shutdown(listener_.socket(), SHUT_RDWR);
    accepting_.join();
    cut();
    for (std::thread& thread : threads_) thread.join();
  }

  [[nodiscard]] uint16_t port() const { return listener_.port(); }
  /// Asked with what is to go to the server; false cuts the connection: it does not come there.
  std::function<bool(std::string_view)> reach = [](std::string_view) { return true; };
  /// Asked with what went to the server; false cuts the connection, after it went there: the answer is lost.
  std::function<bool(std::string_view)> pass = [](std::string_view) { return true; };
  /// Asked with what goes to the server; what it returns is the answer, unless that is empty: then it goes on.
  std::function<std::string(std::string_view)> answer = [](std::string_view) { return std::string(); };
  void cut() {
    const std::lock_guard lock(mutex_);
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }

 private:
  void accept_all() {
    for (int client; (client = listener_.accept()) >= 0;) {
      const std::lock_guard lock(mutex_);
      sockets_.push_back(client);
      threads_.emplace_back([this, client] { serve(client); });
    }
  }
  void serve(int client) {
    const int server = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = loopback_address(to_);
    if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) pump(client, server);
    ::shutdown(client, SHUT_RDWR);
    ::close(server);
  }
  static bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }
  void pump(int client, int server) {
    std::vector<char> bytes(1 << 16);
    pollfd ends[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    while (::poll(ends, 2, -1) > 0) {
      for (int from = 0; from < 2; ++from) {
        if (ends[from].revents == 0) continue;
        const ssize_t size = ::recv(ends[from].fd, bytes.data(), bytes.size(), 0);
        if (size <= 0) return;
        const std::string_view given(bytes.data(), static_cast<size_t>(size));
        if (from == 0 && !reach(given)) return;
        const std::string own = from == 0 ? answer(given) : std::string();
        if (!send_all(ends[own.empty() ? 1 - from : from].fd, own.empty() ? given : own)) return;
        if (!own.empty()) continue;
        if (from == 0 && !pass(given)) {
          ::recv(server, bytes.data(), 1, MSG_PEEK);  // the server did it
          return;
        }
      }
    }
  }

  const uint16_t to_;
  const LoopbackListener listener_;
  std::mutex mutex_;
  std::vector<int> sockets_;  // stay open until the end: their numbers are not given again
  std::vector<std::thread> threads_;
  std::thread accepting_;  // last: it uses all of the above
};

}  // namespace neardup::remote
