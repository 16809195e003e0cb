// neardup serve in a process of its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "neardup/base/context.h"
#include "neardup/bench/serve_client.h"

namespace neardup::bench {

/// A running server of a store's folder; it ends with this object. Threads: one.
class ServerProcess {
 public:
  /// Starts `program serve folder` on a port that is free, and waits until it is ready. Its log goes to `log_path`.
  /// Errors: kIo with the last line of the log where it ends instead; kCancelled.
  [[nodiscard]] static Result<ServerProcess> start(const std::string& program, const std::string& folder,
                                                   const std::string& log_path, const Context& context);
  ServerProcess(ServerProcess&& other) noexcept
      : process_(std::exchange(other.process_, -1)), address_(other.address_) {}
  ServerProcess& operator=(ServerProcess&&) = delete;
  ~ServerProcess();

  [[nodiscard]] const LoopbackAddress& address() const { return address_; }

 private:
  explicit ServerProcess(pid_t process) : process_(process) {}
  Status read_address(int output, const std::string& log_path);
  [[nodiscard]] Status wait_until_ready(const Context& context) const;
  void stop();

  pid_t process_;
  LoopbackAddress address_;
};

}  // namespace neardup::bench
