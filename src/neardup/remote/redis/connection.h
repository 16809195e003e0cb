// Connection: one to a Redis server; connections of a store, which serve one call each at a time.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/remote/open_remote.h"
#include "neardup/remote/redis/reply.h"
#include "neardup/remote/redis/request.h"
#include "neardup/remote/redis/transport.h"
#include "neardup/remote/remote_uri.h"

struct redisContext;

namespace neardup::remote::redis {

/// What a user of the server must be allowed, beside the keys of the prefix; as docs/operations.md has it.
inline constexpr std::string_view kAllowed = "+@read +@write -@dangerous -@scripting +evalsha +script|load +info";

/// Returns what an error that a server replied means, with the cure: kMemory where it has none left, kCorruption where
/// a key holds another kind of value than a store writes, else kIo.
[[nodiscard]] tl::unexpected<Error> refusal(const RemoteUri& uri, std::string_view message);
/// Whether the server is about to answer, and may be asked again.
[[nodiscard]] bool is_transient_refusal(std::string_view message);

/// Threads: one at a time.
class Connection {
 public:
  /// Connects, by TLS where the URI says so, and authenticates. Errors: kIo, naming the server and the cure;
  /// kInvalidArgument of options; `is_transient`: whether it is one that may go away by itself.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const RemoteUri& uri, const RemoteOptions& options,
                                                                bool& is_transient);

  /// Sends all commands and returns the reply to each, of which some may be errors of the server. Errors: kIo,
  /// kCorruption where it does not speak its protocol, kCancelled: then the connection is of no more use.
  [[nodiscard]] Result<Replies> exchange(const Request& request);
  /// Whether it can be used again: it is not lost, and the server is a master and has the slot of the prefix.
  [[nodiscard]] bool is_good() const { return is_good_; }
  /// Whether it was lost for what may be otherwise soon.
  [[nodiscard]] bool is_transient() const { return is_transient_; }
  /// Returns the address of the node of a cluster that has the prefix, in the URI given to open(), where the one that
  /// this is to has it not.
  [[nodiscard]] const std::optional<RemoteUri>& moved_to() const { return moved_to_; }

 private:
  struct Free {
    void operator()(redisContext* context) const;
  };
  struct Deadline {
    std::chrono::milliseconds limit;
    std::chrono::steady_clock::time_point at = std::chrono::steady_clock::now() + limit;
  };
  Connection(redisContext* context, const RemoteUri& uri, const RemoteOptions& options)
      : context_(context), uri_(uri), options_(options) {}
  [[nodiscard]] Status begin_transport();
  [[nodiscard]] Status authenticate();
  [[nodiscard]] Status send(std::string_view bytes, const Deadline& deadline);
  [[nodiscard]] Status receive(size_t count, Replies& replies, const Deadline& deadline);
  // Returns what `step` does, once it need not wait any more.
  template <class Step>
  [[nodiscard]] Result<size_t> transfer(const Step& step, std::string_view to_what, const Deadline& deadline);
  [[nodiscard]] Status wait(short events, std::string_view to_what, const Deadline& deadline);
  [[nodiscard]] tl::unexpected<Error> lost(std::string_view why, std::string_view cure = {});
  void handle_errors(const Replies& replies);
  void follow_redirect(std::string_view text);

  std::unique_ptr<redisContext, Free> context_;
  RemoteUri uri_;
  RemoteOptions options_;
  std::unique_ptr<Transport> transport_;
  std::vector<char> room_;
  std::optional<RemoteUri> moved_to_;
  bool is_good_ = true, is_transient_ = false;
};

/// A child of a fork has connections of its own. Threads: any.
class ConnectionPool {
 public:
  ConnectionPool(RemoteUri uri, RemoteOptions options)
      : uri_(std::move(uri)), options_(std::move(options)), process_(getpid()) {}

  /// Called with each connection when it was opened, before anything else goes over it; where it fails the connection
  /// is not used. As Connection::open() of errors.
  using OnConnect = std::function<Status(Connection& connection, bool& is_transient)>;
  /// Requires: no exchange was made.
  void set_on_connect(OnConnect on_connect) { on_connect_ = std::move(on_connect); }

  /// One exchange of what may be asked twice: where the connection is lost, or the server is about to answer, again,
  /// with growing waits, for connect_timeout in all. Errors: as Connection, and refusal() where a reply is an error.
  [[nodiscard]] Result<Replies> ask(const Request& request);
  /// One exchange of what may not: replies that are errors are returned as they are.
  [[nodiscard]] Result<Replies> tell(const Request& request);
  /// The same of what may be asked twice: once more where a connection was lost while it was idle.
  [[nodiscard]] Result<Replies> send_retrying_stale(const Request& request);
  /// Opens one more connection, which `use` is called with, and keeps it. Errors: as Connection::open(), and of `use`.
  [[nodiscard]] Status connect_anew(const OnConnect& use);
  /// The same with what set_on_connect() was given.
  [[nodiscard]] Status connect_anew() { return connect_anew(on_connect_); }

  [[nodiscard]] const RemoteUri& uri() const { return uri_; }
  [[nodiscard]] const RemoteOptions& options() const { return options_; }

 private:
  struct Outcome {
    bool is_transient = false;  // it failed for what may be otherwise soon
    bool was_idle = false;      // over a connection that was there
  };
  [[nodiscard]] Result<Replies> exchange_once(const Request& request, Outcome& outcome);
  // To the node that has the prefix, whichever one of the cluster the URI names.
  [[nodiscard]] Result<std::unique_ptr<Connection>> connect(bool& is_transient);
  void drop_inherited_connections();
  [[nodiscard]] std::unique_ptr<Connection> take_idle();
  void give_back(std::unique_ptr<Connection> connection);

  RemoteUri uri_;
  RemoteOptions options_;
  OnConnect on_connect_;
  std::mutex mutex_;
  pid_t process_;                                  // whose connections are idle
  std::optional<RemoteUri> node_;                  // that had the prefix last, where it is not the one of the URI
  std::vector<std::unique_ptr<Connection>> idle_;  // the last one was used last
};

}  // namespace neardup::remote::redis
