// HTTP/1.1 over sockets, by libmicrohttpd: a few threads read and write; a request that is worked on holds none.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "neardup/base/result.h"
#include "neardup/server/service.h"

namespace neardup::server {

/// Returns how many threads, `asked` or more, so many connections need. A thread of libmicrohttpd 0.9.75 takes 128
/// events at once from epoll, and where it gets exactly so many it waits for more before it works on any (MHD_epoll()
/// in its daemon.c): if all clients wait for answers, for ever. So none has so many connections that, with the
/// listening socket and its own wake-up, there could be 128.
[[nodiscard]] size_t io_threads_for(uint64_t connections, size_t asked);

/// Threads: start() and the destructor from one, the others from any.
class Transport {
 public:
  /// Takes connections of the socket, which it owns from now on. `certificate` and `key` in PEM; empty: no TLS. Errors:
  /// kIo; kInvalidArgument where the certificate is not one. Lifetime: the service and the state outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Transport>> start(int listening, ServiceState& state, Service& service,
                                                                std::string certificate, std::string key);
  ~Transport();

  /// Takes no more connections.
  void stop_listening();
  /// Returns whether every request whose headers came was answered in that time.
  [[nodiscard]] bool wait_until_answered(std::chrono::milliseconds most);
  /// Closes all connections. Requires: no request is worked on any more.
  void stop();

 private:
  struct Impl;
  explicit Transport(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Returns a socket that listens on an address. Errors: kInvalidArgument where it is none, kIo where it is taken.
[[nodiscard]] Result<int> listen_on(const std::string& address, uint16_t port);
/// Returns the port that it listens on.
[[nodiscard]] uint16_t port_of(int listening);
/// Returns whether nobody but this machine reaches the address.
[[nodiscard]] bool is_loopback(const std::string& address);

}  // namespace neardup::server
