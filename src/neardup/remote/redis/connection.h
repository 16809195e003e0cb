// Connection: one to a Redis server; connections of a store, which serve one call each at a time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/remote/open_remote.h"
#include "neardup/remote/redis/reply.h"
#include "neardup/remote/redis/request.h"
#include "neardup/remote/remote_uri.h"

struct redisContext;

namespace neardup::remote::redis {

/// Returns what an error that a server replied means, with the cure: kMemory where it has none left, kCorruption where
/// a key holds another kind of value than a store writes, else kIo.
[[nodiscard]] tl::unexpected<Error> refusal(const RemoteUri& uri, std::string_view message);
/// Whether the server is about to answer, and may be asked again.
[[nodiscard]] bool is_passing(std::string_view message);

/// Threads: one at a time.
class Connection {
 public:
  /// Connects and authenticates. Errors: kIo, naming the server and the cure; `may_pass`: whether it is one that may go
  /// away by itself.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const RemoteUri& uri, const RemoteOptions& options,
                                                                bool& may_pass);

  /// Sends all commands and returns the reply to each, of which some may be errors of the server. Errors: kIo,
  /// kCorruption where it does not speak its protocol, kCancelled: then the connection is of no more use.
  [[nodiscard]] Result<Replies> exchange(const Request& request);
  [[nodiscard]] bool is_good() const { return is_good_; }

 private:
  struct Free {
    void operator()(redisContext* context) const;
  };
  Connection(redisContext* context, const RemoteUri& uri, const RemoteOptions& options)
      : context_(context), uri_(uri), options_(options) {}
  [[nodiscard]] Status authenticate(bool& may_pass);
  [[nodiscard]] Status send(std::string_view bytes, std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] Status receive(size_t count, Replies& replies, std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] Status wait(short events, std::chrono::steady_clock::time_point deadline);
  [[nodiscard]] tl::unexpected<Error> lost(std::string_view why);

  std::unique_ptr<redisContext, Free> context_;
  RemoteUri uri_;
  RemoteOptions options_;
  std::vector<char> room_;
  bool is_good_ = true;
};

/// Threads: any.
class ConnectionPool {
 public:
  ConnectionPool(RemoteUri uri, RemoteOptions options) : uri_(std::move(uri)), options_(std::move(options)) {}

  /// Called with each connection when it was opened, before anything else goes over it; where it fails the connection
  /// is not used. As Connection::open() of errors.
  using OnConnect = std::function<Status(Connection& connection, bool& may_pass)>;
  /// Requires: no exchange was made.
  void set_on_connect(OnConnect on_connect) { on_connect_ = std::move(on_connect); }

  /// One exchange of what may be asked twice: where the connection is lost, or the server is about to answer, again,
  /// with growing waits, for connect_timeout in all. Errors: as Connection, and refusal() where a reply is an error.
  [[nodiscard]] Result<Replies> ask(const Request& request);
  /// One exchange of what may not: replies that are errors are returned as they are.
  [[nodiscard]] Result<Replies> tell(const Request& request);

  [[nodiscard]] const RemoteUri& uri() const { return uri_; }
  [[nodiscard]] const RemoteOptions& options() const { return options_; }

 private:
  // `may_pass`: whether it failed for what may be otherwise soon.
  [[nodiscard]] Result<Replies> exchange_once(const Request& request, bool& may_pass);
  [[nodiscard]] std::unique_ptr<Connection> take_idle();
  void give_back(std::unique_ptr<Connection> connection);

  RemoteUri uri_;
  RemoteOptions options_;
  OnConnect on_connect_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;  // the last one was used last
};

}  // namespace neardup::remote::redis
