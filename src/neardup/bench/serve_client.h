// A connection to an HTTP service on this machine, and what is asked of it besides the load.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "neardup/base/result.h"

namespace neardup::bench {

/// Where the service listens: a loopback address. A load is for a server of one's own, beside it.
struct LoopbackAddress {
  uint16_t port = 0;
  [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port); }
};
/// Reads "http://127.0.0.1:PORT", "localhost" for the address, a "/" behind it. Errors: kInvalidArgument.
[[nodiscard]] Result<LoopbackAddress> read_loopback_url(std::string_view url);

/// What a service answered to one request.
struct HttpAnswer {
  int status = 0;
  std::string body;
};
/// Returns the answer to GET `path`. Errors: kIo where nobody answers.
[[nodiscard]] Result<HttpAnswer> get(const LoopbackAddress& server, std::string_view path);

/// A descriptor that is closed at the end.
class OwnDescriptor {
 public:
  explicit OwnDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  OwnDescriptor(OwnDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OwnDescriptor& operator=(OwnDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~OwnDescriptor();
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Returns a new connection. Its calls wait, but for at most half a minute. Errors: kIo.
[[nodiscard]] Result<OwnDescriptor> connect_to(const LoopbackAddress& server);
/// Returns kIo: `what`, the server, and what errno says.
[[nodiscard]] Error connection_error(std::string_view what, const LoopbackAddress& server);

}  // namespace neardup::bench
