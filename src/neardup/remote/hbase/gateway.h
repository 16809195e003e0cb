// Gateway: connections to the Thrift 2 gateway of an HBase, and calls that are tried again.
#pragma once

#include <hbase_wire/THBaseService.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/remote/open_remote.h"
#include "neardup/remote/remote_uri.h"

namespace neardup::remote::hbase {

using Client = hbase_wire::THBaseServiceClient;

/// A call in two halves, so that one thread has several under way. Either may come again from the start, the second on
/// another connection: what they do must be the same done twice.
struct Exchange {
  std::function<void(Client&)> send, receive;
};

/// A connection is used by one call at a time; those that are free wait for the next one. What the server says can be
/// tried again (a region that moves, is split or whose server died) and what a connection lost is tried again, later
/// and later, until call_timeout; where nothing listens, until connect_timeout, but only once it was reached. These
/// limits are of the call, however many exchanges and tries it has, and begin anew with each answer: a call goes on as
/// long as answers come, and waits in vain for one limit.
/// A child of a fork makes connections of its own, and those of its parent go on. Threads: any member from many at
/// once.
class Gateway {
 public:
  Gateway(const RemoteUri& uri, const RemoteOptions& options);
  ~Gateway();

  /// Errors: kIo with the server's words and the cure; kNotFound, likewise, where it refuses for good, as for a table
  /// or a column family that is not there; kCancelled.
  [[nodiscard]] Status call(std::string_view what, const Exchange& exchange);
  /// All of them, some at once, each on a connection of its own. Errors: as call(), of the first that failed.
  [[nodiscard]] Status call_all(std::string_view what, std::span<const Exchange> exchanges);
  /// So many are under way at once in call_all().
  static constexpr size_t kAtOnce = 4;
  /// Returns the URI without its password.
  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  struct Connection;
  using Clock = std::chrono::steady_clock;
  // Why a try did not work, and whether another one may.
  struct Failure {
    std::string words;
    bool may_work_later = false, is_unreachable = false, is_refused = false, is_silent = false;
  };
  // Of one call: what it heard last.
  struct Heard {
    Clock::time_point at = Clock::now();  // the beginning of the call, or the last answer since
    Failure failure = {};
  };

  [[nodiscard]] std::unique_ptr<Connection> take();
  void give_back(std::unique_ptr<Connection> connection);
  template <class Do>
  [[nodiscard]] bool attempt(std::unique_ptr<Connection>& connection, Heard& heard, const Do& what);
  [[nodiscard]] Status call(std::string_view what, const Exchange& exchange, Heard& heard);
  [[nodiscard]] std::vector<size_t> send_ahead(std::span<const Exchange> exchanges, Heard& heard);
  [[nodiscard]] Status check_time(std::string_view what, const Heard& heard, Clock::duration pause) const;
  [[nodiscard]] Status wait(std::string_view what, const Heard& heard, int tries) const;
  [[nodiscard]] tl::unexpected<Error> failed(std::string_view what, const Failure& failure) const;

  // Requires: mutex_.
  void drop_inherited_connections();

  const std::string host_, shown_;
  const uint16_t port_;
  const RemoteOptions options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> free_;
  pid_t process_;  // that made those in free_
  std::atomic<bool> was_reached_ = false;
};

}  // namespace neardup::remote::hbase
