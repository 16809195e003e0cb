// A port of this machine that takes connections: what a test does with them is its own.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

namespace neardup {

[[nodiscard]] inline sockaddr_in loopback_address(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// Listens on a port of 127.0.0.1 that was free, until it goes. Who connects is let in by the system, and waits for
/// accept().
class LoopbackListener {
 public:
  /// Without listening it holds the port all the same: who connects is refused, and nobody else can listen there.
  explicit LoopbackListener(bool listens = true) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = loopback_address(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    if (listens) {
      EXPECT_EQ(::listen(socket_, 64), 0);
    }
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~LoopbackListener() { ::close(socket_); }
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  [[nodiscard]] uint16_t port() const { return port_; }
  [[nodiscard]] int socket() const { return socket_; }
  /// Returns the next connection, which the caller closes; -1 after a shutdown of socket().
  [[nodiscard]] int accept() const { return ::accept(socket_, nullptr, nullptr); }

 private:
  const int socket_;
  uint16_t port_ = 0;
};

}  // namespace neardup
