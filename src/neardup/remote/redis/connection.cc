#include "neardup/remote/redis/connection.h"

#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "neardup/remote/redis/reply_reader.h"

namespace neardup::remote::redis {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kRoomBytes = size_t{256} << 10;
constexpr milliseconds kSlice{100};  // between two looks at whether to stop
constexpr milliseconds kFirstWait{10}, kLongestWait{500};

timeval timeval_of(milliseconds time) {
  return {static_cast<time_t>(time.count() / 1000), static_cast<suseconds_t>(time.count() % 1000 * 1000)};
}

struct Cure {
  std::string_view prefix, cure;
};
// By the first word of what a server replies.
constexpr Cure kCures[] = {
    {"NOAUTH", "give the password in the URI: redis://USER:PASSWORD@HOST:PORT/PREFIX"},
    {"WRONGPASS", "give the user and password that the server knows: redis://USER:PASSWORD@HOST:PORT/PREFIX"},
    {"NOPERM",
     "let the user do what a store does: ACL SETUSER USER on '~{PREFIX}*' +@all -@dangerous +info +config|get "
     "(docs/formats/redis.md lists the commands)"},
    {"READONLY", "this server is a replica: give the address of the one that takes writes"},
    {"LOADING", "the server reads its files; wait, or give more time"},
    {"MOVED", "this node of a cluster does not have the slot of the prefix: give the address of the node that has it"},
    {"ASK", "the slot of the prefix moves to another node of the cluster: try again when that is done"},
    {"CLUSTERDOWN", "the cluster does not serve all slots: mend it and try again"},
    {"MASTERDOWN", "this replica has lost its master: give the address of the one that takes writes"},
    {"NOREPLICAS", "too few replicas are there for a write (min-replicas-to-write): mend them and try again"},
    {"MISCONF",
     "the server could not write its files and takes no writes: its log says why; make room, or see its "
     "setting stop-writes-on-bgsave-error"},
    {"BUSY", "a script of somebody keeps the server busy: wait, or end it by SCRIPT KILL"},
};

}  // namespace

tl::unexpected<Error> refusal(const RemoteUri& uri, std::string_view message) {
  if (message.starts_with("OOM"))
    return fail(Code::kMemory, fmt::format("{}: the server has no memory left ({}); raise its maxmemory, or erase and "
                                           "compact",
                                           uri.shown(), message));
  if (message.find("WRONGTYPE") != std::string_view::npos)
    return fail(Code::kCorruption,
                fmt::format("{}: a key under the prefix holds what no store wrote ({}); give the store "
                            "a prefix of its own",
                            uri.shown(), message));
  for (const auto& [prefix, cure] : kCures)
    if (message.starts_with(prefix))
      return fail(Code::kIo, fmt::format("{}: the server refuses: {}; {}", uri.shown(), message, cure));
  return fail(Code::kIo, fmt::format("{}: the server refuses: {}", uri.shown(), message));
}

bool is_passing(std::string_view message) {
  return message.starts_with("LOADING") || message.starts_with("BUSY") || message.starts_with("CLUSTERDOWN") ||
         message.starts_with("TRYAGAIN");
}

void Connection::Free::operator()(redisContext* context) const { redisFree(context); }

tl::unexpected<Error> Connection::lost(std::string_view why) {
  is_good_ = false;
  return fail(Code::kIo,
              fmt::format("{}: {}; see that the server runs and can be reached, and try again", uri_.shown(), why));
}

Result<std::unique_ptr<Connection>> Connection::open(const RemoteUri& uri, const RemoteOptions& options,
                                                     bool& may_pass) {
  may_pass = false;
  if (uri.tls)
    return fail(Code::kIo,
                fmt::format("{}: this build cannot encrypt (hiredis 0.14 has no TLS); let stunnel or a proxy "
                            "like it speak TLS with the server, and give its address on this machine as "
                            "redis://127.0.0.1:PORT/{}",
                            uri.shown(), uri.name));
  redisContext* context = redisConnectWithTimeout(uri.host.c_str(), uri.port, timeval_of(options.connect_timeout));
  if (context == nullptr) return fail(Code::kMemory, "no memory for a connection");
  std::unique_ptr<Connection> connection(new Connection(context, uri, options));
  may_pass = true;
  if (context->err != 0) return connection->lost(fmt::format("cannot connect: {}", context->errstr));
  context->reader->fn = &reply_functions;
  const int on = 1;
  static_cast<void>(setsockopt(context->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  static_cast<void>(redisEnableKeepAlive(context));
  NEARDUP_TRY(connection->authenticate(may_pass));
  return connection;
}

Status Connection::authenticate(bool& may_pass) {
  if (uri_.password.empty() && uri_.user.empty()) return {};
  Request request;
  if (uri_.user.empty())
    request.command({"AUTH", uri_.password});
  else
    request.command({"AUTH", uri_.user, uri_.password});
  NEARDUP_ASSIGN(const Replies replies, exchange(request));
  if (replies[0].type != ReplyType::kError) return {};
  may_pass = is_passing(replies.text(replies[0]));
  return refusal(uri_, replies.text(replies[0]));
}

Status Connection::wait(short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return lost(fmt::format("no answer within {} ms", options_.call_timeout.count()));
    if (options_.context.cancelled()) {
      is_good_ = false;
      return options_.context.check_cancel();
    }
    pollfd wanted{context_->fd, events, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(std::min(left, kSlice).count()));
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return lost(fmt::format("cannot wait: {}", std::strerror(errno)));
  }
}

Status Connection::send(std::string_view bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(context_->fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      NEARDUP_TRY(wait(POLLOUT, deadline));
    } else if (errno != EINTR) {
      return lost(fmt::format("the connection was lost: {}", std::strerror(errno)));
    }
  }
  return {};
}

Status Connection::receive(size_t count, Replies& replies, Clock::time_point deadline) {
  redisReader* reader = context_->reader;
  reader->privdata = &replies;
  room_.resize(kRoomBytes);
  for (size_t done = 0; done < count;) {
    void* value = nullptr;
    if (redisReaderGetReply(reader, &value) != REDIS_OK) {
      is_good_ = false;
      return fail(Code::kCorruption,
                  fmt::format("{}: the server does not answer as Redis does ({}); give the address of "
                              "a Redis server",
                              uri_.shown(), reader->errstr));
    }
    if (value != nullptr) {
      ++done;
      continue;
    }
    const ssize_t got = recv(context_->fd, room_.data(), room_.size(), MSG_DONTWAIT);
    if (got == 0) return lost("the server ended the connection");
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      NEARDUP_TRY(wait(POLLIN, deadline));
    } else if (got < 0) {
      return lost(fmt::format("the connection was lost: {}", std::strerror(errno)));
    } else if (redisReaderFeed(reader, room_.data(), static_cast<size_t>(got)) != REDIS_OK) {
      is_good_ = false;
      return fail(Code::kMemory, "no memory for what the server answers");
    }
  }
  return {};
}

Result<Replies> Connection::exchange(const Request& request) {
  const auto deadline = Clock::now() + options_.call_timeout;
  Replies replies;
  NEARDUP_TRY(send(request.bytes(), deadline));
  NEARDUP_TRY(receive(request.num_commands(), replies, deadline));
  return replies;
}

std::unique_ptr<Connection> ConnectionPool::take_idle() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return nullptr;
  std::unique_ptr<Connection> connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

// Where one is lost, those that wait are most likely, too.
void ConnectionPool::give_back(std::unique_ptr<Connection> connection) {
  const std::lock_guard lock(mutex_);
  if (connection->is_good())
    idle_.push_back(std::move(connection));
  else
    idle_.clear();
}

Result<Replies> ConnectionPool::exchange_once(const Request& request, bool& may_pass) {
  std::unique_ptr<Connection> connection = take_idle();
  if (connection == nullptr) {
    NEARDUP_ASSIGN(connection, Connection::open(uri_, options_, may_pass));
    if (on_connect_) NEARDUP_TRY(on_connect_(*connection, may_pass));
  }
  Result<Replies> replies = connection->exchange(request);
  may_pass = !replies && replies.error().code == Code::kIo;
  give_back(std::move(connection));
  return replies;
}

Result<Replies> ConnectionPool::tell(const Request& request) {
  bool may_pass = false;
  return exchange_once(request, may_pass);
}

Result<Replies> ConnectionPool::ask(const Request& request) {
  const auto deadline = Clock::now() + options_.connect_timeout;
  for (milliseconds pause = kFirstWait;; pause = std::min(2 * pause, kLongestWait)) {
    bool may_pass = false;
    Result<Replies> replies = exchange_once(request, may_pass);
    std::string_view problem;
    for (size_t i = 0; replies && i < replies->size() && problem.empty(); ++i)
      if ((*replies)[i].type == ReplyType::kError) problem = replies->text((*replies)[i]);
    if (replies && problem.empty()) return replies;
    if (replies) may_pass = is_passing(problem);
    if (!may_pass || Clock::now() + pause > deadline || options_.context.cancelled()) {
      if (replies) return refusal(uri_, problem);
      return replies;
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace neardup::remote::redis
