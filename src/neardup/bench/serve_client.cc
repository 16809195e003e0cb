#include "neardup/bench/serve_client.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <vector>

#include "neardup/bench/serve_response.h"

namespace neardup::bench {
namespace {

constexpr size_t kMostAnswer = size_t{16} << 20;

constexpr size_t kAnswerPiece = size_t{64} << 10;

/// Returns the answer that comes first on `connection`.
Result<HttpAnswer> read_answer(const OwnDescriptor& connection, const LoopbackAddress& server) {
  ResponseReader reader(kMostAnswer);
  std::vector<char> buffer(kAnswerPiece);
  while (true) {
    const ssize_t size = recv(connection.get(), buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return fail(Code::kIo, fmt::format("{} does not answer", server.host()));
    const auto state = reader.take({buffer.data(), static_cast<size_t>(size)});
    if (state == ResponseReader::State::kDone) return HttpAnswer{reader.status(), std::string(reader.body())};
    if (state == ResponseReader::State::kBroken)
      return fail(Code::kIo, fmt::format("{} sent what is not understood: no neardup serve?", server.host()));
  }
}

}  // namespace

OwnDescriptor::~OwnDescriptor() {
  if (descriptor_ >= 0) close(descriptor_);
}

Error connection_error(std::string_view what, const LoopbackAddress& server) {
  return {Code::kIo, fmt::format("{} {}: {}", what, server.host(), std::strerror(errno))};
}

Result<OwnDescriptor> connect_to(const LoopbackAddress& server) {
  OwnDescriptor made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval wait{.tv_sec = 30, .tv_usec = 0};
  const int on = 1;
  if (made.get() < 0 || setsockopt(made.get(), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) != 0 ||
      setsockopt(made.get(), SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait) != 0 ||
      setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
      connect(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return tl::unexpected(connection_error("no connection to", server));
  return made;
}

Result<LoopbackAddress> read_loopback_url(std::string_view url) {
  std::string_view left = url;
  const auto take = [&left](std::string_view start) {
    if (!left.starts_with(start)) return false;
    left.remove_prefix(start.size());
    return true;
  };
  LoopbackAddress address;
  const bool has_host = take("http://") && (take("127.0.0.1:") || take("localhost:"));
  if (left.ends_with('/')) left.remove_suffix(1);
  const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), address.port);
  if (has_host && error == std::errc() && end == left.data() + left.size() && address.port != 0) return address;
  return fail(Code::kInvalidArgument,
              fmt::format("expected http://127.0.0.1:PORT, a server on this machine, found \"{}\"", url));
}

Result<HttpAnswer> get(const LoopbackAddress& server, std::string_view path) {
  NEARDUP_ASSIGN(const OwnDescriptor connection, connect_to(server));
  const std::string request = fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", path, server.host());
  if (send(connection.get(), request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
    return tl::unexpected(connection_error("cannot send to", server));
  return read_answer(connection, server);
}

}  // namespace neardup::bench
