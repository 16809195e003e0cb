#include "neardup/remote/hbase/gateway.h"

#include <fmt/format.h>
#include <poll.h>
#include <thrift/TApplicationException.h>
#include <thrift/TConfiguration.h>
#include <thrift/TOutput.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <thread>
#include <utility>

#include "neardup/base/tried.h"

namespace neardup::remote::hbase {
namespace {

using apache::thrift::transport::TTransportException;
using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{20}, kLongestWait{1000};
constexpr uint32_t kBufferBytes = 256 << 10;
constexpr int kMostMessageBytes = 1 << 30;
constexpr size_t kMostWords = 300;  // bytes of what a server says that are shown

// A server may send its whole stack: the first line says what it is.
std::string first_line(const std::string& words) {
  std::string line = words.substr(0, std::min(words.find('\n'), kMostWords));
  return line.empty() ? "no reason given" : line;
}

// A call on several rows calls a refusal of them worth another try.
bool is_refusal(const hbase_wire::TIOError& error) {
  if (error.__isset.canRetry && !error.canRetry) return true;
  constexpr std::array<std::string_view, 3> kForGood = {"NoSuchColumnFamilyException", "TableNotFoundException",
                                                        "TableNotEnabledException"};
  return std::ranges::any_of(kForGood, [&](auto name) { return error.message.find(name) != std::string::npos; });
}

// TSocket's own close ends the stream, which a parent and its child share; its own wait begins anew after a signal, and
// fails after some.
class Socket : public apache::thrift::transport::TSocket {
 public:
  using TSocket::TSocket;
  uint32_t read(uint8_t* bytes, uint32_t size) override {
    if (isOpen()) wait_for(POLLIN, milliseconds(recvTimeout_));
    return TSocket::read(bytes, size);
  }
  uint32_t write_partial(const uint8_t* bytes, uint32_t size) override {
    if (isOpen()) wait_for(POLLOUT, milliseconds(sendTimeout_));
    return TSocket::write_partial(bytes, size);
  }
  void leave() {
    if (socket_ == THRIFT_INVALID_SOCKET) return;
    ::close(socket_);
    socket_ = THRIFT_INVALID_SOCKET;
  }

 private:
  void wait_for(short event, milliseconds most) const {
    pollfd waited{.fd = socket_, .events = event, .revents = 0};
    const auto end = std::chrono::steady_clock::now() + most;
    int ready = -1;
    do {
      const auto left =
          std::max(std::chrono::ceil<milliseconds>(end - std::chrono::steady_clock::now()), milliseconds(0));
      ready = ::poll(&waited, 1, static_cast<int>(left.count()));
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) throw TTransportException(TTransportException::TIMED_OUT, "no answer in time");
  }
};

}  // namespace

struct Gateway::Connection {
  Connection(const std::string& host, int port)
      : socket(
            std::make_shared<Socket>(host, port, std::make_shared<apache::thrift::TConfiguration>(kMostMessageBytes))),
        transport(std::make_shared<apache::thrift::transport::TBufferedTransport>(socket, kBufferBytes,
                                                                                  socket->getConfiguration())),
        client(std::make_shared<apache::thrift::protocol::TBinaryProtocol>(transport)) {
    socket->setNoDelay(true);
  }

  void wait_for(Clock::duration left, milliseconds to_connect) {
    const auto most = std::max(milliseconds(1), std::chrono::ceil<milliseconds>(left));
    if (most == waits) return;
    waits = most;
    socket->setConnTimeout(static_cast<int>(std::min(most, to_connect).count()));
    socket->setRecvTimeout(static_cast<int>(most.count()));
    socket->setSendTimeout(static_cast<int>(most.count()));
  }
  void send(const Exchange& exchange) {
    if (!transport->isOpen()) transport->open();
    exchange.send(client);
  }

  std::shared_ptr<Socket> socket;
  std::shared_ptr<apache::thrift::transport::TBufferedTransport> transport;
  Client client;
  milliseconds waits{0};  // as it was set last, which takes calls of the system
};

Gateway::Gateway(const RemoteUri& uri, const RemoteOptions& options)
    : host_(uri.host), shown_(uri.shown()), port_(uri.port), options_(options), process_(::getpid()) {
  apache::thrift::GlobalOutput.setOutputFunction([](const char*) {});  // errors are returned, not printed
}

Gateway::~Gateway() { drop_inherited_connections(); }

void Gateway::drop_inherited_connections() {
  if (process_ == ::getpid()) return;
  for (const auto& connection : free_) connection->socket->leave();
  free_.clear();
  process_ = ::getpid();
}

std::unique_ptr<Gateway::Connection> Gateway::take() {
  const std::lock_guard lock(mutex_);
  drop_inherited_connections();
  if (free_.empty()) return std::make_unique<Connection>(host_, port_);
  auto connection = std::move(free_.back());
  free_.pop_back();
  return connection;
}

void Gateway::give_back(std::unique_ptr<Connection> connection) {
  const std::lock_guard lock(mutex_);
  // Else the next call makes one; what was answered is not lost to that.
  static_cast<void>(tried([&] { free_.push_back(std::move(connection)); }));
}

// A connection that failed is left; where only the call failed it goes on.
template <class Do>
bool Gateway::attempt(std::unique_ptr<Connection>& connection, Heard& heard, const Do& what) {
  Failure& failure = heard.failure;
  try {
    connection->wait_for(heard.at + options_.call_timeout - Clock::now(), options_.connect_timeout);
    what(*connection);
    was_reached_ = true;
    return true;
  } catch (const hbase_wire::TIOError& error) {
    const bool is_refused = is_refusal(error);
    failure = {.words = first_line(error.message), .may_work_later = !is_refused, .is_refused = is_refused};
    return false;
  } catch (const TTransportException& error) {
    // Of a connect that the limit cut short nothing is known: what was said before is why the call fails.
    const bool is_unreachable = error.getType() == TTransportException::NOT_OPEN;
    const bool is_cut_short = is_unreachable && Clock::now() >= heard.at + options_.call_timeout;
    if (!is_cut_short || failure.words.empty())
      failure = {.words = first_line(error.what()),
                 .may_work_later = true,
                 .is_unreachable = is_unreachable,
                 .is_silent = error.getType() == TTransportException::TIMED_OUT};
  } catch (const std::exception& error) {
    failure = {.words = first_line(error.what())};
  }
  // The other free ones were made before: a server that was started again knows none of them.
  const std::lock_guard lock(mutex_);
  connection.reset();
  free_.clear();
  return false;
}

tl::unexpected<Error> Gateway::failed(std::string_view what, const Failure& failure) const {
  const std::string where = fmt::format("HBase's Thrift 2 gateway at {}:{}", host_, port_);
  if (failure.is_unreachable)
    return fail(Code::kIo, fmt::format("{} cannot be reached ({}); start it (hbase thrift2 start) or correct the URI",
                                       where, failure.words));
  if (failure.is_silent)
    return fail(Code::kIo, fmt::format("{}: {} failed: no answer came for {:g} s; look into the gateway's log and try "
                                       "again, or wait longer (timeout=SECONDS in the URI)",
                                       where, what, std::chrono::duration<double>(options_.call_timeout).count()));
  return fail(failure.is_refused ? Code::kNotFound : Code::kIo,
              fmt::format("{}: {} failed: {}; look into the gateway's log{}", where, what, failure.words,
                          failure.is_refused ? "" : ", and try again"));
}

// Says whether what failed may be tried again after a pause.
Status Gateway::check_time(std::string_view what, const Heard& heard, Clock::duration pause) const {
  // One that was there before is perhaps started again just now; one that never was is a mistake of who named it.
  const auto to_reach = was_reached_ ? options_.connect_timeout : milliseconds(0);
  const auto time_limit = heard.failure.is_unreachable ? to_reach : options_.call_timeout;
  if (!heard.failure.may_work_later || Clock::now() + pause > heard.at + time_limit) return failed(what, heard.failure);
  return options_.context.check_cancel();
}

Status Gateway::wait(std::string_view what, const Heard& heard, int tries) const {
  const auto pause = std::min(kLongestWait, kFirstWait * (1 << std::min(tries, 10)));
  NEARDUP_TRY(check_time(what, heard, pause));
  std::this_thread::sleep_for(pause);
  return options_.context.check_cancel();
}

Status Gateway::call(std::string_view what, const Exchange& exchange) {
  Heard heard;
  return call(what, exchange, heard);
}

Status Gateway::call(std::string_view what, const Exchange& exchange, Heard& heard) {
  for (int tries = 0;; ++tries) {
    auto connection = take();
    const bool done = attempt(connection, heard, [&](Connection& on) {
      on.send(exchange);
      exchange.receive(on.client);
    });
    if (connection) give_back(std::move(connection));
    if (done) {
      heard.at = Clock::now();
      return {};
    }
    NEARDUP_TRY(wait(what, heard, tries));
  }
}

// The answer to each is read before the one kAtOnce further on is sent. Returns those that failed, or were not sent as
// there is nobody to send to; ends at once where nobody says anything.
std::vector<size_t> Gateway::send_ahead(std::span<const Exchange> exchanges, Heard& heard) {
  std::vector<std::unique_ptr<Connection>> under_way(std::min(kAtOnce, exchanges.size()));
  std::vector<size_t> again;
  bool is_reachable = true;
  const auto receive = [&](size_t i) {
    auto connection = std::move(under_way[i % under_way.size()]);
    if (!connection) return;  // it could not be sent
    if (attempt(connection, heard, [&](Connection& on) { exchanges[i].receive(on.client); }))
      heard.at = Clock::now();
    else
      again.push_back(i);
    if (connection) give_back(std::move(connection));
  };
  const auto send = [&](size_t i) {
    auto connection = take();
    if (is_reachable && attempt(connection, heard, [&](Connection& on) { on.send(exchanges[i]); })) {
      under_way[i % under_way.size()] = std::move(connection);
      return;
    }
    is_reachable = is_reachable && !heard.failure.is_unreachable;
    again.push_back(i);
  };
  for (size_t i = 0; i < exchanges.size() + under_way.size() && !heard.failure.is_silent; ++i) {
    if (i >= under_way.size()) receive(i - under_way.size());
    if (i < exchanges.size() && !heard.failure.is_silent) send(i);
  }
  return again;
}

// Those that failed come again at the end.
Status Gateway::call_all(std::string_view what, std::span<const Exchange> exchanges) {
  if (exchanges.size() == 1) return call(what, exchanges[0]);
  Heard heard;
  const std::vector<size_t> again = send_ahead(exchanges, heard);
  if (heard.failure.is_silent) return failed(what, heard.failure);
  if (!again.empty()) NEARDUP_TRY(check_time(what, heard, {}));
  for (const size_t i : again) NEARDUP_TRY(call(what, exchanges[i], heard));
  return {};
}

}  // namespace neardup::remote::hbase
