// neardup serve in a process of its own.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>

#include "neardup/base/context.h"
#include "neardup/bench/serve_client.h"

namespace neardup::bench {

/// What is started: `program serve folder`. The password of a URI goes by the environment.
struct ServerCommand {
  std::string program, folder;
  std::string log_path;         // where its log goes
  uint64_t connections = 1024;  // that it takes at a time
  Context context = {};
};

/// A running server of a store's folder; it ends with this object. Threads: one.
class ServerProcess {
 public:
  /// Starts a server on a port that is free, and waits until it is ready. Errors: kIo with what it said where it ends
  /// instead; kCancelled.
  [[nodiscard]] static Result<ServerProcess> start(const ServerCommand& command);
  ServerProcess(ServerProcess&& other) noexcept
      : process_(std::exchange(other.process_, -1)), address_(other.address_) {}
  ServerProcess& operator=(ServerProcess&&) = delete;
  ~ServerProcess();

  [[nodiscard]] const LoopbackAddress& address() const { return address_; }

 private:
  explicit ServerProcess(pid_t process) : process_(process) {}
  Status read_address(int output, const std::string& log_path);
  [[nodiscard]] Status wait_until_ready(const ServerCommand& command);
  [[nodiscard]] bool has_ended();
  void stop();

  pid_t process_;  // -1: it has ended
  LoopbackAddress address_;
};

}  // namespace neardup::bench
