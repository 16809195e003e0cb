#include "neardup/server/transport.h"

#include <fmt/format.h>
#include <microhttpd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "neardup/base/per_thread.h"
#include "neardup/base/tried.h"
#include "neardup/base/trim.h"
#include "neardup/server/ascii.h"
#include "neardup/server/request_form.h"
#include "neardup/server/watch.h"

namespace neardup::server {
namespace {

using Clock = std::chrono::steady_clock;

/// An exchange on its connection. The time that it is worked on is ours, not the client's.
class Wire : public Waiter {
 public:
  Wire(MHD_Connection* connection, Watch::Entry& entry, Clock::duration allowance)
      : connection_(connection), entry_(entry), allowance_(allowance) {}

  void suspend() override {
    suspended_ = Clock::now();
    waits_.store(true, std::memory_order_relaxed);
    entry_.set_end(Watch::kNever);
    entry_.set_reads(false);
    MHD_suspend_connection(connection_);
  }
  void resume() override {
    const auto now = Clock::now();
    begun += now - suspended_;
    entry_.set_end(now + allowance_);
    entry_.set_reads(!exchange->has_ended);
    waits_.store(false, std::memory_order_release);
    MHD_resume_connection(connection_);  // from here on this may be gone
  }
  /// Whether a worker has the exchange. libmicrohttpd hands on a chunk that it holds already, suspended or not.
  [[nodiscard]] MHD_Connection* connection() const { return connection_; }
  [[nodiscard]] bool waits() const { return waits_.load(std::memory_order_acquire); }
  void set_end(Clock::time_point end) { entry_.set_end(end); }
  void set_reads(bool reads) { entry_.set_reads(reads); }

  std::unique_ptr<Exchange> exchange;
  std::string target;  // as it came
  bool has_begun = false;
  bool may_have_trailers = false;
  Clock::time_point begun;

 private:
  MHD_Connection* connection_;
  Watch::Entry& entry_;
  const Clock::duration allowance_;
  Clock::time_point suspended_;
  std::atomic<bool> waits_{false};
};

Watch::Entry* entry_of(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == nullptr ? nullptr : static_cast<Watch::Entry*>(info->socket_context);
}

/// C calls what adds them: it may not throw, so room is made before.
std::vector<HeaderField> fields_of(MHD_Connection* connection, MHD_ValueKind kind) {
  std::vector<HeaderField> fields;
  fields.reserve(static_cast<size_t>(std::max(MHD_get_connection_values_n(connection, kind, nullptr, nullptr), 0)));
  const auto add = [](void* all, MHD_ValueKind /*kind*/, const char* name, size_t name_size, const char* value,
                      size_t value_size) noexcept {
    static_cast<std::vector<HeaderField>*>(all)->push_back({{name, name_size}, {value, value_size}});
    return MHD_YES;
  };
  MHD_get_connection_values_n(connection, kind, add, &fields);
  return fields;
}

/// libmicrohttpd 0.9.75 takes what RFC 9112 refuses: folded lines, which it glues together, lines that end in LF alone,
/// and zero bytes, where it cuts. It leaves a header where it came in, with a zero byte in the place of each CR and LF:
/// so each line begins two bytes behind the end of the one before, unless it was one of those.
bool is_plain_head(MHD_Connection* connection, const char* url, const RequestForm& request) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  if (info == nullptr) return false;
  constexpr size_t kLineEnd = 2;
  if (url != request.method.data() + request.method.size() + 1) return false;
  if (request.version.data() != url + request.target.size() + 1) return false;
  const char* end = request.version.data() + request.version.size();
  for (const auto& [name, value] : request.fields) {
    if (name.data() != end + kLineEnd) return false;
    end = value.data() + value.size();
  }
  return request.method.data() + info->header_size == end + 2 * kLineEnd;
}

/// `authority` stands in the place of Host, unless it is empty.
Head head_of(MHD_Connection* connection, const char* method, std::string_view authority) {
  return {method, [connection, authority](const char* name) {
            if (!authority.empty() && is_equal_but_case(name, "host")) return authority;
            const char* value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
            return value == nullptr ? std::string_view() : trim_blanks(value);  // those behind it are left there
          }};
}

using OwnedResponse = std::unique_ptr<MHD_Response, void (*)(MHD_Response*)>;

/// Errors: throws std::bad_alloc. Lifetime: views the body.
OwnedResponse response_of(std::string_view body) {
  OwnedResponse response(
      MHD_create_response_from_buffer(body.size(), const_cast<char*>(body.data()), MHD_RESPMEM_PERSISTENT),
      &MHD_destroy_response);
  if (response == nullptr) throw std::bad_alloc();
  return response;
}

/// Errors: throws std::bad_alloc: without one of its headers an answer may be another one.
void add_header(MHD_Response* response, const char* name, const std::string& value) {
  if (MHD_add_response_header(response, name, value.c_str()) != MHD_YES) throw std::bad_alloc();
}

bool has_header(const Response& response, std::string_view name) {
  for (const auto& [own, value] : response.headers) {
    if (own == name) return true;
  }
  return false;
}

void add_headers(MHD_Response* response, const Exchange& exchange, const ServiceState& state) {
  add_header(response, "Content-Type", std::string(exchange.response.content_type));
  add_header(response, "X-Content-Type-Options", "nosniff");
  add_header(response, "Neardup-Request", fmt::format("{}", exchange.number));
  const Phase phase = state.phase;
  if (phase != Phase::kStarting) add_header(response, "Neardup-Recipe", state.backend->facts().recipe_id);
  if (exchange.closes || phase == Phase::kStopping) add_header(response, "Connection", "close");
  if (!has_header(exchange.response, "Cache-Control")) add_header(response, "Cache-Control", "no-store");
  for (const auto& [name, value] : exchange.response.headers) add_header(response, std::string(name).c_str(), value);
}

/// What is answered where there is no memory for an answer; made at the start, for all connections.
OwnedResponse last_resort() {
  constexpr std::string_view kBody =
      "{\"error\":{\"code\":\"memory\",\"message\":\"the server has no memory for the answer; what was asked for may "
      "be done: ask again\"}}\n";
  OwnedResponse response = response_of(kBody);
  add_header(response.get(), "Content-Type", std::string(kJsonType));
  add_header(response.get(), "Cache-Control", "no-store");
  add_header(response.get(), "Retry-After", "1");
  add_header(response.get(), "Connection", "close");
  return response;
}

/// The path is decoded by who reads it: a %00 must not end it, a %2F not cut it.
size_t leave_escaped(void* /*nothing*/, MHD_Connection* /*connection*/, char* text) {
  return std::char_traits<char>::length(text);
}

/// Requests of this thread whose headers are on their way.
std::vector<Wire*>& begun_here() {
  static PerThread<std::vector<Wire*>> wires;
  return wires.get();
}

/// libmicrohttpd 0.9.75 answers a Content-Length that is no number by itself, and twice, which is two answers for who
/// reads them. It says so before: of the requests that were begun on this thread one has all its headers then. The
/// answer is ours, and what comes behind it goes nowhere; over TLS there is none.
void answer_bad_length(void* /*nothing*/, const char* message, va_list /*arguments*/) noexcept {
  if (std::string_view(message).find("Content-Length") == std::string_view::npos) return;
  const std::vector<Wire*>* begun = nullptr;
  if (!tried([&] { begun = &begun_here(); })) return;
  for (const Wire* wire : *begun) {
    if (MHD_get_connection_info(wire->connection(), MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) == nullptr) continue;
    const int socket = MHD_get_connection_info(wire->connection(), MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    constexpr std::string_view kAnswer =
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 95\r\n\r\n"
        "{\"error\":{\"code\":\"invalid_argument\",\"message\":\"Content-Length is no whole number below 2^64\"}}\n";
    static_assert(kAnswer.size() - kAnswer.find("\r\n\r\n") - 4 == 95);
    const bool is_plain_text = MHD_get_connection_info(wire->connection(), MHD_CONNECTION_INFO_PROTOCOL) == nullptr;
    if (is_plain_text) static_cast<void>(::send(socket, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
    shutdown(socket, SHUT_WR);
    return;
  }
}

}  // namespace

struct Transport::Impl {
  Impl(int socket, ServiceState& its_state, Service& its_service)
      : listening(socket), state(its_state), service(its_service) {}
  ~Impl() {
    stop();
    if (listening >= 0) close(listening);
  }

  [[nodiscard]] Status start_daemon();
  void stop() {
    if (daemon != nullptr) MHD_stop_daemon(std::exchange(daemon, nullptr));
  }

  /// What libmicrohttpd says of a request, each time.
  struct Called {
    MHD_Connection* connection;
    const char *url, *method, *version, *bytes;
    size_t* size;
  };
  MHD_Result handle(Wire& wire, const Called& called);
  Step begin(Wire& wire, const Called& called);
  Step next(Wire& wire, const Called& called);
  MHD_Result send(MHD_Connection* connection, Wire& wire);
  /// In the middle of a body nothing can be sent: the connection ends.
  MHD_Result send_last_resort(MHD_Connection* connection) {
    return MHD_queue_response(connection, MHD_HTTP_SERVICE_UNAVAILABLE, no_answer.get());
  }
  void ended(MHD_Connection* connection, Wire* wire);
  [[nodiscard]] std::unique_ptr<Watch::Entry> watched(int socket) {
    auto entry = std::make_unique<Watch::Entry>(socket);
    entry->set_end(Clock::now() + state.options.limits.idle);
    watch.add(*entry);
    return entry;
  }
  [[nodiscard]] Clock::duration time_for(uint64_t bytes) const {
    return state.options.limits.request + std::chrono::seconds(bytes / state.options.limits.least_bytes_per_second);
  }

  // What libmicrohttpd calls.
  static void* on_uri(void* self, const char* uri, MHD_Connection* connection) noexcept;
  static MHD_Result on_request(void* self, MHD_Connection* connection, const char* url, const char* method,
                               const char* version, const char* bytes, size_t* size, void** wire) noexcept;
  static void on_ended(void* self, MHD_Connection* connection, void** wire, MHD_RequestTerminationCode code) noexcept;
  static void on_connection(void* self, MHD_Connection* connection, void** entry,
                            MHD_ConnectionNotificationCode code) noexcept;

  int listening;
  ServiceState& state;
  Service& service;
  std::string certificate, key;
  Watch watch;
  std::mutex mutex;
  std::condition_variable answered;
  uint64_t num_open = 0;  // exchanges whose headers came
  OwnedResponse no_answer = last_resort();
  MHD_Daemon* daemon = nullptr;
};

void* Transport::Impl::on_uri(void* self, const char* uri, MHD_Connection* connection) noexcept {
  try {
    Impl& impl = *static_cast<Impl*>(self);
    Watch::Entry* entry = entry_of(connection);
    if (entry == nullptr) return nullptr;
    auto wire = std::make_unique<Wire>(connection, *entry, impl.state.options.limits.request);
    wire->target = uri;
    wire->exchange = impl.service.open(take_target_apart(wire->target).path, *wire);
    begun_here().push_back(wire.get());
    return wire.release();
  } catch (...) {
    return nullptr;
  }
}

MHD_Result Transport::Impl::on_request(void* self, MHD_Connection* connection, const char* url, const char* method,
                                       const char* version, const char* bytes, size_t* size, void** wire) noexcept {
  Impl& impl = *static_cast<Impl*>(self);
  if (*wire == nullptr) return impl.send_last_resort(connection);
  try {
    return impl.handle(*static_cast<Wire*>(*wire), {connection, url, method, version, bytes, size});
  } catch (...) {
    return impl.send_last_resort(connection);
  }
}

void Transport::Impl::on_ended(void* self, MHD_Connection* connection, void** wire,
                               MHD_RequestTerminationCode /*code*/) noexcept {
  static_cast<Impl*>(self)->ended(connection, static_cast<Wire*>(std::exchange(*wire, nullptr)));
}

void Transport::Impl::on_connection(void* self, MHD_Connection* connection, void** entry,
                                    MHD_ConnectionNotificationCode code) noexcept {
  Impl& impl = *static_cast<Impl*>(self);
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    ++impl.state.num_connections;
    const int socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    if (!tried([&] { *entry = impl.watched(socket).release(); })) shutdown(socket, SHUT_RDWR);
    return;
  }
  const std::unique_ptr<Watch::Entry> watched(static_cast<Watch::Entry*>(std::exchange(*entry, nullptr)));
  if (watched != nullptr) impl.watch.remove(*watched);
  --impl.state.num_connections;
}

Step Transport::Impl::begin(Wire& wire, const Called& called) {
  wire.has_begun = true;
  std::erase(begun_here(), &wire);
  wire.begun = Clock::now();
  wire.set_end(wire.begun + time_for(0));
  {
    const std::lock_guard lock(mutex);
    ++num_open;
  }
  const std::vector<HeaderField> fields = fields_of(called.connection, MHD_HEADER_KIND);
  RequestForm form{called.method, wire.target, called.version, fields};
  form.is_plain = is_plain_head(called.connection, called.url, form);
  if (const auto refusal = check_form(form)) return Service::turn_away(*wire.exchange, *refusal);
  const Head head = head_of(called.connection, called.method, take_target_apart(wire.target).authority);
  wire.may_have_trailers = !head.header("Transfer-Encoding").empty();
  return service.begin(*wire.exchange, head);
}

Step Transport::Impl::next(Wire& wire, const Called& called) {
  if (!wire.has_begun) return begin(wire, called);
  Exchange& exchange = *wire.exchange;
  if (*called.size > 0) {
    const std::string_view piece(called.bytes, std::exchange(*called.size, 0));
    wire.set_end(wire.begun + time_for(exchange.received_bytes));
    return service.take(exchange, piece);
  }
  if (exchange.has_ended) return service.end(exchange);
  wire.set_reads(false);
  if (wire.may_have_trailers) {
    if (const auto refusal = check_trailers(fields_of(called.connection, MHD_FOOTER_KIND)))
      return Service::turn_away(exchange, *refusal);
  }
  return service.end(exchange);
}

MHD_Result Transport::Impl::handle(Wire& wire, const Called& called) {
  if (wire.waits()) return MHD_YES;  // nothing of it is taken: it comes again
  switch (next(wire, called)) {
    case Step::kClose:
      return MHD_NO;
    case Step::kAnswer:
      return send(called.connection, wire);
    case Step::kRead:
    case Step::kWait:
      break;
  }
  return MHD_YES;
}

MHD_Result Transport::Impl::send(MHD_Connection* connection, Wire& wire) {
  Exchange& exchange = *wire.exchange;
  service.answer(exchange);
  const std::string& body = exchange.response.body;
  wire.set_reads(false);
  wire.set_end(Clock::now() + time_for(body.size()));
  if (exchange.has_no_answer) return send_last_resort(connection);
  const OwnedResponse response = response_of(body);
  add_headers(response.get(), exchange, state);
  return MHD_queue_response(connection, static_cast<unsigned>(exchange.response.status), response.get());
}

void Transport::Impl::ended(MHD_Connection* connection, Wire* wire) {
  const std::unique_ptr<Wire> owned(wire);
  if (Watch::Entry* entry = entry_of(connection); entry != nullptr) {
    entry->set_end(Clock::now() + state.options.limits.idle);
    entry->set_reads(true);
  }
  if (owned == nullptr) return;
  std::erase(begun_here(), wire);
  if (!owned->has_begun) return;
  const std::lock_guard lock(mutex);
  if (--num_open == 0) answered.notify_all();
}

Status Transport::Impl::start_daemon() {
  const Limits& limits = state.options.limits;
  const bool is_secure = !certificate.empty();
  const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                         MHD_USE_ERROR_LOG | (is_secure ? MHD_USE_TLS : 0);
  const MHD_OptionItem secure[] = {{MHD_OPTION_HTTPS_MEM_CERT, 0, certificate.data()},
                                   {MHD_OPTION_HTTPS_MEM_KEY, 0, key.data()},
                                   {MHD_OPTION_END, 0, nullptr}};
  const MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, nullptr}};
  daemon = MHD_start_daemon(
      flags, 0, nullptr, nullptr, &Impl::on_request, this, MHD_OPTION_EXTERNAL_LOGGER, &answer_bad_length, nullptr,
      MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_THREAD_POOL_SIZE, static_cast<unsigned>(state.options.io_threads),
      MHD_OPTION_CONNECTION_LIMIT, static_cast<unsigned>(limits.connections), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      static_cast<size_t>(limits.header_bytes), MHD_OPTION_CONNECTION_TIMEOUT, 0U, MHD_OPTION_URI_LOG_CALLBACK,
      &Impl::on_uri, this, MHD_OPTION_UNESCAPE_CALLBACK, &leave_escaped, nullptr, MHD_OPTION_NOTIFY_COMPLETED,
      &Impl::on_ended, this, MHD_OPTION_NOTIFY_CONNECTION, &Impl::on_connection, this, MHD_OPTION_STRICT_FOR_CLIENT, 0,
      MHD_OPTION_ARRAY, is_secure ? secure : plain, MHD_OPTION_END);
  if (daemon != nullptr) return {};
  if (is_secure)
    return fail(Code::kInvalidArgument, "--tls-certificate and --tls-key: not a certificate and its key in PEM");
  return fail(Code::kIo, "the HTTP server does not start");
}

size_t io_threads_for(uint64_t connections, size_t asked) {
  constexpr uint64_t kMostOfThread = 125;
  return std::max<size_t>(asked, (connections + kMostOfThread - 1) / kMostOfThread);
}

Transport::Transport(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Transport::~Transport() = default;

Result<std::unique_ptr<Transport>> Transport::start(int listening, ServiceState& state, Service& service,
                                                    std::string certificate, std::string key) {
  auto impl = std::make_unique<Impl>(listening, state, service);
  impl->certificate = std::move(certificate);
  impl->key = std::move(key);
  NEARDUP_TRY(impl->start_daemon());
  return std::unique_ptr<Transport>(new Transport(std::move(impl)));
}

void Transport::stop_listening() {
  static_cast<void>(MHD_quiesce_daemon(impl_->daemon));
  shutdown(impl_->listening, SHUT_RDWR);
}

bool Transport::wait_until_answered(std::chrono::milliseconds most) {
  std::unique_lock lock(impl_->mutex);
  return impl_->answered.wait_for(lock, most, [&] { return impl_->num_open == 0; });
}

void Transport::stop() { impl_->stop(); }

}  // namespace neardup::server
