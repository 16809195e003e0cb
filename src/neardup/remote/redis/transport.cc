#include "neardup/remote/redis/transport.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace neardup::remote::redis {
namespace {

// What a server that speaks TLS answers to one who does not: an alert.
constexpr std::string_view kAlert = "\x15\x03";

class PlainTransport : public Transport {
 public:
  explicit PlainTransport(int socket) : socket_(socket) {}

  Transfer handshake() override { return {}; }
  Transfer send(std::string_view bytes) override {
    return result_of(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL), TransferState::kWantsToWrite);
  }
  Transfer receive(std::span<char> room) override {
    const ssize_t got = recv(socket_, room.data(), room.size(), 0);
    if (got == 0) return failed("the server ended the connection");
    if (got > 0 && !has_received_ && std::string_view(room.data(), static_cast<size_t>(got)).starts_with(kAlert))
      return {TransferState::kFailed, 0, "the server speaks TLS on this port", "write rediss:// for redis://"};
    has_received_ = has_received_ || got > 0;
    return result_of(got, TransferState::kWantsToRead);
  }

 private:
  Transfer result_of(ssize_t size, TransferState wish) const {
    if (size >= 0) return {TransferState::kDone, static_cast<size_t>(size), {}, {}};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {wish, 0, {}, {}};
    if (errno == EINTR) return {};
    return failed(fmt::format("the connection was lost: {}", std::strerror(errno)));
  }
  Transfer failed(std::string why) const {
    if (!has_received_) why += " before it answered anything (where it wants TLS on this port, write rediss://)";
    return {TransferState::kFailed, 0, std::move(why), {}};
  }

  int socket_;
  bool has_received_ = false;
};

}  // namespace

std::unique_ptr<Transport> plain_transport(int socket) { return std::make_unique<PlainTransport>(socket); }

}  // namespace neardup::remote::redis
