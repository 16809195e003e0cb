// Transport: bytes to and from a server over a socket, as they are, or within TLS (tls_transport.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace neardup::remote::redis {

enum class TransferState : uint8_t {
  kDone,
  kWantsToRead,   // once there is something to read, the same again
  kWantsToWrite,  // once something can be written, likewise
  kFailed,
};

struct Transfer {
  TransferState state = TransferState::kDone;
  size_t size = 0;   // bytes that went or came
  std::string why;   // it failed
  std::string cure;  // of what does not go away by itself; empty: it may
};

/// What does not wait. Threads: one at a time.
class Transport {
 public:
  virtual ~Transport() = default;
  /// Before anything else, until it is done.
  [[nodiscard]] virtual Transfer handshake() = 0;
  /// Sends some of the bytes. Requires: some; the same again after it wanted to wait.
  [[nodiscard]] virtual Transfer send(std::string_view bytes) = 0;
  /// Fails where the server has ended the connection. Requires: room.
  [[nodiscard]] virtual Transfer receive(std::span<char> room) = 0;
};

/// Returns one over a socket that does not block, which the caller closes after it.
[[nodiscard]] std::unique_ptr<Transport> plain_transport(int socket);

}  // namespace neardup::remote::redis
