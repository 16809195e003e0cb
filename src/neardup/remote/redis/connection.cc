#include "neardup/remote/redis/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <thread>

#include "neardup/base/tried.h"
#include "neardup/remote/redis/key_prefix.h"
#include "neardup/remote/redis/reply_reader.h"
#include "neardup/remote/redis/tls_transport.h"

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
    {"NOAUTH",
     "give the password in the URI, redis://USER:PASSWORD@HOST:PORT/PREFIX; the program neardup takes it by "
     "NEARDUP_REDIS_PASSWORD, too"},
    {"WRONGPASS",
     "give user and password as the server knows them, redis://USER:PASSWORD@HOST:PORT/PREFIX; the program neardup "
     "takes the password by NEARDUP_REDIS_PASSWORD, too"},
    {"ERR AUTH", "the server has no passwords: leave it out of the URI, and of the program's NEARDUP_REDIS_PASSWORD"},
    {"READONLY", "this server is a replica: give the address of the one that takes writes"},
    {"LOADING", "the server reads its files; wait, or give more time"},
    {"MOVED", "the slot of the prefix has moved to that node of the cluster: try again"},
    {"ASK", "the slot of the prefix moves to another node of the cluster: try again when that is done"},
    {"TRYAGAIN", "the slot of the prefix moves to another node of the cluster: try again when that is done"},
    {"CLUSTERDOWN", "the cluster does not serve all slots: mend it and try again"},
    {"MASTERDOWN", "this replica has lost its master: give the address of the one that takes writes"},
    {"NOREPLICAS", "too few replicas are there for a write (min-replicas-to-write): mend them and try again"},
    {"MISCONF",
     "the server could not write its files and takes no writes: its log says why; make room, or see its "
     "setting stop-writes-on-bgsave-error"},
    {"BUSY", "a script of somebody keeps the server busy: wait, or end it by SCRIPT KILL"},
};

// A server that does not know AUTH repeats what it was sent.
std::string_view without_secrets(std::string_view reply_to_auth, const RemoteUri& uri) {
  constexpr std::string_view kRepeats = ", with args beginning with";
  const std::string_view shown = reply_to_auth.substr(0, reply_to_auth.find(kRepeats));
  const bool has_secret = !uri.password.empty() && shown.find(uri.password) != std::string_view::npos;
  return has_secret ? shown.substr(0, shown.find(' ')) : shown;
}

}  // namespace

tl::unexpected<Error> refusal(const RemoteUri& uri, std::string_view message) {
  if (message.starts_with("OOM"))
    return fail(Code::kMemory,
                fmt::format("{}: the server has no memory left ({}); raise its maxmemory, or make room by "
                            "neardup index delete and compact, then make the same call again",
                            uri.shown(), message));
  if (message.find("WRONGTYPE") != std::string_view::npos)
    return fail(Code::kCorruption,
                fmt::format("{}: a key under the prefix holds what no store wrote ({}); give the store "
                            "a prefix of its own",
                            uri.shown(), message));
  if (message.starts_with("NOPERM") || message.find("user executing the script can't") != std::string_view::npos)
    return fail(Code::kIo,
                fmt::format("{}: the server refuses: {}; let the user do what a store does: ACL SETUSER {} "
                            "~{{{}}}* {}",
                            uri.shown(), message, uri.user.empty() ? "default" : uri.user, uri.name, kAllowed));
  for (const auto& [prefix, cure] : kCures)
    if (message.starts_with(prefix))
      return fail(Code::kIo, fmt::format("{}: the server refuses: {}; {}", uri.shown(), message, cure));
  return fail(Code::kIo, fmt::format("{}: the server refuses: {}", uri.shown(), message));
}

bool is_transient_refusal(std::string_view message) {
  return message.starts_with("LOADING") || message.starts_with("BUSY") || message.starts_with("CLUSTERDOWN") ||
         message.starts_with("TRYAGAIN") || message.starts_with("MOVED") || message.starts_with("ASK");
}

void Connection::Free::operator()(redisContext* context) const { redisFree(context); }

tl::unexpected<Error> Connection::lost(std::string_view why, std::string_view cure) {
  is_good_ = false;
  is_transient_ = cure.empty();
  if (is_transient_) cure = "see that the server runs and can be reached, and try again";
  return fail(Code::kIo, fmt::format("{}: {}; {}", uri_.shown(), why, cure));
}

Result<std::unique_ptr<Connection>> Connection::open(const RemoteUri& uri, const RemoteOptions& options,
                                                     bool& is_transient) {
  is_transient = false;
  NEARDUP_TRY(check_tls_options(uri));
  redisContext* context = redisConnectWithTimeout(uri.host.c_str(), uri.port, timeval_of(options.connect_timeout));
  if (context == nullptr) return fail(Code::kMemory, "no memory for a connection");
  std::unique_ptr<Connection> connection(new Connection(context, uri, options));
  Status status;
  if (context->err != 0)
    status = connection->lost(fmt::format("cannot connect: {}", context->errstr));
  else
    status = connection->begin_transport();
  if (status) status = connection->authenticate();
  is_transient = connection->is_transient();
  NEARDUP_TRY(status);
  return connection;
}

Status Connection::begin_transport() {
  const int socket = context_->fd, on = 1;
  context_->reader->fn = &reply_functions;
  static_cast<void>(setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  static_cast<void>(redisEnableKeepAlive(context_.get()));
  if (fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK) != 0)
    return lost(fmt::format("cannot connect: {}", std::strerror(errno)));
  if (uri_.tls) {
    NEARDUP_ASSIGN(transport_, tls_transport(uri_, socket));
  } else {
    transport_ = plain_transport(socket);
  }
  NEARDUP_TRY(transfer([this] { return transport_->handshake(); },
                       " to the handshake of TLS (a Redis server is silent where this port is without TLS; write "
                       "redis:// then)",
                       Deadline{options_.connect_timeout}));
  return {};
}

// Also asks for a key of the store, so that a node of a cluster says at once whether it has them.
Status Connection::authenticate() {
  Request request;
  if (!uri_.user.empty())
    request.command({"AUTH", uri_.user, uri_.password});
  else if (!uri_.password.empty())
    request.command({"AUTH", uri_.password});
  request.command({"EXISTS", braced(uri_.name) + 'm'});
  NEARDUP_ASSIGN(const Replies replies, exchange(request));
  if (replies.size() == 1 || replies[0].type != ReplyType::kError) return {};
  is_transient_ = is_transient_refusal(replies.text(replies[0]));
  return refusal(uri_, without_secrets(replies.text(replies[0]), uri_));
}

Status Connection::wait(short events, std::string_view to_what, const Deadline& deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline.at - Clock::now());
    if (left.count() <= 0) return lost(fmt::format("no answer within {} ms{}", deadline.limit.count(), to_what));
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

template <class Step>
Result<size_t> Connection::transfer(const Step& step, std::string_view to_what, const Deadline& deadline) {
  for (;;) {
    const Transfer done = step();
    if (done.state == TransferState::kDone) return done.size;
    if (done.state == TransferState::kFailed) return lost(done.why, done.cure);
    NEARDUP_TRY(wait(done.state == TransferState::kWantsToRead ? POLLIN : POLLOUT, to_what, deadline));
  }
}

Status Connection::send(std::string_view bytes, const Deadline& deadline) {
  while (!bytes.empty()) {
    NEARDUP_ASSIGN(const size_t sent, transfer([&] { return transport_->send(bytes); }, "", deadline));
    bytes.remove_prefix(sent);
  }
  return {};
}

Status Connection::receive(size_t count, Replies& replies, const Deadline& deadline) {
  redisReader* reader = context_->reader;
  reader->privdata = &replies;
  room_.resize(kRoomBytes);
  for (size_t done = 0; done < count;) {
    void* value = nullptr;
    if (redisReaderGetReply(reader, &value) != REDIS_OK) {
      is_good_ = false;
      if (reader->err == REDIS_ERR_OOM) return fail(Code::kMemory, "no memory for what the server answers");
      return fail(Code::kCorruption,
                  fmt::format("{}: the server does not answer as Redis does ({}); give the address of "
                              "a Redis server",
                              uri_.shown(), reader->errstr));
    }
    if (value != nullptr) {
      ++done;
      continue;
    }
    NEARDUP_ASSIGN(const size_t got, transfer([this] { return transport_->receive(room_); }, "", deadline));
    if (redisReaderFeed(reader, room_.data(), got) != REDIS_OK) {
      is_good_ = false;
      return fail(Code::kMemory, "no memory for what the server answers");
    }
  }
  return {};
}

Result<Replies> Connection::exchange(const Request& request) {
  const Deadline deadline{options_.call_timeout};
  Replies replies;
  NEARDUP_TRY(send(request.bytes(), deadline));
  NEARDUP_TRY(receive(request.num_commands(), replies, deadline));
  handle_errors(replies);
  return replies;
}

// What the server is now is asked over a new connection, which may lead to another one by the same name.
void Connection::handle_errors(const Replies& replies) {
  for (size_t i = 0; i < replies.size(); ++i) {
    if (replies[i].type != ReplyType::kError) continue;
    const std::string_view text = replies.text(replies[i]);
    if (text.starts_with("MOVED ")) return follow_redirect(text);
    if (text.starts_with("READONLY") || text.starts_with("LOADING") || text.starts_with("MASTERDOWN")) is_good_ = false;
  }
}

// "MOVED 3999 127.0.0.1:6381"; without a host it is the same one.
void Connection::follow_redirect(std::string_view text) {
  is_good_ = false;
  const size_t host = text.rfind(' ') + 1, port = text.rfind(':') + 1;
  RemoteUri uri = uri_;
  if (port <= host) return;
  if (port - 1 > host && text[host] != '?') uri.host = text.substr(host, port - 1 - host);
  if (std::from_chars(text.data() + port, text.data() + text.size(), uri.port).ec == std::errc()) moved_to_ = uri;
}

// A child of a fork makes connections of its own: over those of its parent each would get the other's answers.
void ConnectionPool::drop_inherited_connections() {
  if (process_ == getpid()) return;
  idle_.clear();  // nothing is said over them
  process_ = getpid();
}

std::unique_ptr<Connection> ConnectionPool::take_idle() {
  const std::lock_guard lock(mutex_);
  drop_inherited_connections();
  if (idle_.empty()) return nullptr;
  std::unique_ptr<Connection> connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

// Where one is lost, those that wait are most likely, too.
void ConnectionPool::give_back(std::unique_ptr<Connection> connection) {
  const std::lock_guard lock(mutex_);
  if (!connection->is_good()) return idle_.clear();
  // Else the next call makes one; what was answered is not lost to that.
  static_cast<void>(tried([&] { idle_.push_back(std::move(connection)); }));
}

Result<std::unique_ptr<Connection>> ConnectionPool::connect(bool& is_transient) {
  constexpr int kMostMoves = 5;
  RemoteUri uri = uri_;
  {
    const std::lock_guard lock(mutex_);
    uri = node_.value_or(uri_);
  }
  for (int moves = 0;; ++moves) {
    auto connection = Connection::open(uri, options_, is_transient);
    const bool is_other = uri.host != uri_.host || uri.port != uri_.port;
    const bool is_there = connection && !(*connection)->moved_to();
    {
      const std::lock_guard lock(mutex_);
      node_ = is_there && is_other ? std::optional(uri) : std::nullopt;
    }
    if (is_there || moves == kMostMoves) return connection;
    if (connection)
      uri = *(*connection)->moved_to();
    else if (is_other && moves == 0)
      uri = uri_;  // the node that had the prefix is gone
    else
      return connection;
  }
}

Result<Replies> ConnectionPool::exchange_once(const Request& request, Outcome& outcome) {
  std::unique_ptr<Connection> connection = take_idle();
  outcome.was_idle = connection != nullptr;
  if (connection == nullptr) {
    NEARDUP_ASSIGN(connection, connect(outcome.is_transient));
    if (on_connect_) NEARDUP_TRY(on_connect_(*connection, outcome.is_transient));
  }
  Result<Replies> replies = connection->exchange(request);
  outcome.is_transient = connection->is_transient();
  give_back(std::move(connection));
  return replies;
}

Status ConnectionPool::connect_anew(const OnConnect& use) {
  bool is_transient = false;
  NEARDUP_ASSIGN(std::unique_ptr<Connection> connection, connect(is_transient));
  if (use) NEARDUP_TRY(use(*connection, is_transient));
  give_back(std::move(connection));
  return {};
}

Result<Replies> ConnectionPool::tell(const Request& request) {
  Outcome outcome;
  return exchange_once(request, outcome);
}

Result<Replies> ConnectionPool::send_retrying_stale(const Request& request) {
  Outcome outcome;
  Result<Replies> replies = exchange_once(request, outcome);
  return !replies && outcome.was_idle && outcome.is_transient ? tell(request) : replies;
}

Result<Replies> ConnectionPool::ask(const Request& request) {
  const auto deadline = Clock::now() + options_.connect_timeout;
  for (milliseconds pause = kFirstWait;; pause = std::min(2 * pause, kLongestWait)) {
    Outcome outcome;
    Result<Replies> replies = exchange_once(request, outcome);
    bool is_transient = outcome.is_transient;
    std::string_view problem;
    for (size_t i = 0; replies && i < replies->size() && problem.empty(); ++i)
      if ((*replies)[i].type == ReplyType::kError) problem = replies->text((*replies)[i]);
    if (replies && problem.empty()) return replies;
    if (replies) is_transient = is_transient_refusal(problem);
    if (!is_transient || Clock::now() + pause > deadline || options_.context.cancelled()) {
      if (replies) return refusal(uri_, problem);
      return replies;
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace neardup::remote::redis
