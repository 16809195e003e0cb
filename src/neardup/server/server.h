// server: the HTTP service of a store of texts.
//
// A transport (libmicrohttpd) brings requests; they are admitted by their headers, their bodies are read within limits,
// and wait in lanes for workers; what comes at once goes into one call of the store. docs/http.md is the contract,
// route.h the table of all that is answered.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "neardup/base/result.h"
#include "neardup/server/backend.h"
#include "neardup/server/log.h"
#include "neardup/server/options.h"

namespace neardup::server {

/// Threads: one.
class Server {
 public:
  /// Listens, and tells all who ask that it is not ready. Errors: kInvalidArgument where options do not go together (an
  /// address that others reach, without a key); of reading keys and certificates; kIo where the address is taken.
  /// Lifetime: `log` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<Server>> start(const ServerOptions& options, Log& log);
  ~Server();

  /// Returns "http://127.0.0.1:7464".
  [[nodiscard]] std::string url() const;
  /// From now on requests are served.
  void serve(std::unique_ptr<Backend> backend);
  /// Takes no more connections, answers what was accepted (for at most Limits::stop), closes the store.
  void stop();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::server
