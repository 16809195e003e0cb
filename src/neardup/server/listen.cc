#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "neardup/server/transport.h"

namespace neardup::server {
namespace {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

/// Returns an address of size 0 where the text is none.
SocketAddress parse_address(const std::string& text, uint16_t port) {
  SocketAddress address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.size = sizeof *v4;
    return address;
  }
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    address.size = sizeof *v6;
  }
  return address;
}

tl::unexpected<Error> cannot_listen(const std::string& address, uint16_t port, int error) {
  return fail(Code::kIo, fmt::format("cannot listen on {} port {}: {}; choose another one with --listen", address, port,
                                     std::strerror(error)));
}

}  // namespace

Result<int> listen_on(const std::string& address, uint16_t port) {
  const SocketAddress parsed = parse_address(address, port);
  if (parsed.size == 0)
    return fail(Code::kInvalidArgument,
                fmt::format("--listen: \"{}\" is no address such as 127.0.0.1 or [::1]", address));
  const int listening = socket(parsed.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listening < 0) return cannot_listen(address, port, errno);
  const int on = 1;
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  constexpr int kBacklog = 1024;
  if (bind(listening, reinterpret_cast<const sockaddr*>(&parsed.storage), parsed.size) == 0 &&
      listen(listening, kBacklog) == 0)
    return listening;
  const int error = errno;
  close(listening);
  return cannot_listen(address, port, error);
}

uint16_t port_of(int listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.ss_family == AF_INET ? reinterpret_cast<sockaddr_in*>(&address)->sin_port
                                            : reinterpret_cast<sockaddr_in6*>(&address)->sin6_port);
}

bool is_loopback(const std::string& address) {
  in6_addr v6{};
  return address.starts_with("127.") || (inet_pton(AF_INET6, address.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6));
}

}  // namespace neardup::server
