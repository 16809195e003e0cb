#include "neardup/server/service.h"

#include <algorithm>

#include "neardup/base/code_table.h"
#include "neardup/base/guard.h"
#include "neardup/base/threads.h"
#include "neardup/server/admission.h"
#include "neardup/server/body.h"
#include "neardup/server/document_work.h"

namespace neardup::server {
namespace {

constexpr size_t kMostTogether = 512;                    // requests in one call of the store
constexpr size_t kMostTogetherBytes = size_t{64} << 10;  // of each of them
constexpr uint64_t kMostDropped = uint64_t{8} << 20;     // of a body that was refused; then the connection ends
constexpr size_t kSlowThreads = 2, kMostSlow = 64;

size_t work_threads(const ServerOptions& options) {
  constexpr size_t kMore = 2;  // some wait for the disk
  return options.work_threads > 0 ? options.work_threads : static_cast<size_t>(resolve_num_threads(0)) + kMore;
}

void work_on_task(ServiceState& state, std::vector<Exchange*>& taken) noexcept {
  if (taken.front()->route->operation != nullptr) return work_on_documents(state, taken);
  Exchange& exchange = *taken.front();
  work_for(exchange, [&] {
    exchange.request.body = exchange.body.view();
    auto response = guarded([&]() -> Result<Response> { return exchange.route->handler(state, exchange.request); });
    exchange.response = response ? std::move(*response) : refuse(response.error());
    count_answer(state, exchange);
  });
  exchange.is_done = true;
  exchange.waiter.resume();
}

// A server that could not be asked may answer soon, and the same call again mends what it did: no fault of this
// process.
void allow_again(Response& response) {
  constexpr int kNotNow = 503;
  if (response.code != code_name(Code::kIo)) return;
  response.headers.emplace_back("Retry-After", "1");
  response.status = kNotNow;
}

}  // namespace

Service::Service(ServiceState& state)
    : state_(state),
      arrivals_(work_threads(state.options), state.options.limits.waiting, kMostTogether,
                [&state](std::vector<Exchange*>& taken) { work_on_documents(state, taken); }),
      tasks_(work_threads(state.options), state.options.limits.waiting, 1,
             [&state](std::vector<Exchange*>& taken) { work_on_task(state, taken); }),
      streams_(work_threads(state.options), state.options.limits.waiting, 1,
               [&state](std::vector<Exchange*>& taken) { work_on_stream(state, *taken.front()); }),
      slow_(kSlowThreads, kMostSlow, 1, [&state](std::vector<Exchange*>& taken) { work_on_task(state, taken); }) {
  state.waiting = [this] {
    return std::vector<std::pair<std::string_view, uint64_t>>{{"arrivals", arrivals_.waiting()},
                                                              {"tasks", tasks_.waiting()},
                                                              {"streams", streams_.waiting()},
                                                              {"slow", slow_.waiting()}};
  };
}

Service::~Service() { stop(); }

void Service::stop() {
  for (Queue* lane : {&arrivals_, &tasks_, &streams_, &slow_}) lane->stop();
}

std::unique_ptr<Exchange> Service::open(std::string uri, Waiter& waiter) {
  return std::make_unique<Exchange>(std::move(uri), waiter, state_.budget, state_.next_request++);
}

Step Service::turn_away(Exchange& exchange, const Refusal& refusal) {
  exchange.response = refuse(refusal);
  exchange.closes = exchange.is_done = true;
  return Step::kAnswer;
}

Step Service::begin(Exchange& exchange, const Head& head) {
  auto refusal = admit(state_, head, exchange);
  if (!refusal) {
    if (exchange.form) exchange.batch.form = *exchange.form;
    return Step::kRead;
  }
  exchange.refusal = std::move(refusal);
  const std::string_view length = head.header("Content-Length");
  constexpr size_t kDigitsOfLittle = 7;  // below 10 MB: the rest is read, so that the client reads the answer
  if (length.size() <= kDigitsOfLittle && head.header("Transfer-Encoding").empty()) return Step::kRead;
  exchange.response = std::move(*exchange.refusal);
  exchange.closes = true;
  return Step::kAnswer;
}

void Service::refuse_rest(Exchange& exchange, const Refusal& refusal) {
  end_stream(exchange, refusal);
  exchange.body.clear(0);
}

Step Service::take(Exchange& exchange, std::string_view bytes) {
  exchange.received_bytes += bytes.size();
  if (exchange.has_no_answer) return Step::kClose;  // a part of a stream; nothing can be answered before its end
  if (exchange.refusal) return exchange.received_bytes > kMostDropped ? Step::kClose : Step::kRead;
  if (auto refusal = add_to_body(state_, exchange, bytes)) {
    refuse_rest(exchange, *refusal);
    return Step::kRead;
  }
  if (exchange.form) exchange.batch.form = *exchange.form;
  if (!has_due_lines(exchange) || exchange.route->operation == nullptr) return Step::kRead;
  exchange.is_stream = true;
  return push(streams_, exchange);
}

Service::Queue& Service::lane_of(const Exchange& exchange) {
  if (exchange.is_stream) return streams_;
  switch (exchange.route->place) {
    case Place::kArrivals:  // a long one alone, so that short ones need not wait for it
      return exchange.body.size() > kMostTogetherBytes ? tasks_ : arrivals_;
    case Place::kSlow:
      return slow_;
    default:
      return tasks_;
  }
}

Step Service::end(Exchange& exchange) {
  if (exchange.is_done || exchange.has_no_answer) return Step::kAnswer;
  exchange.ended = std::chrono::steady_clock::now();
  exchange.has_ended = true;
  if (exchange.refusal) {
    exchange.response = std::move(*exchange.refusal);
    return exchange.is_done = true, Step::kAnswer;
  }
  if (!exchange.form && exchange.received_bytes == 0) {
    exchange.response = refuse(Error{Code::kInvalidArgument, "the body is missing: a document, or one a line"});
    return exchange.is_done = true, Step::kAnswer;
  }
  if (!exchange.form) {
    exchange.form = exchange.batch.form = BodyForm::kLines;
    exchange.is_form_found = true;
  }
  if (exchange.route->place == Place::kAtOnce) {
    exchange.response = exchange.route->handler(state_, exchange.request);
    return exchange.is_done = true, Step::kAnswer;
  }
  const std::string_view held = exchange.body.view();
  if (exchange.form == BodyForm::kLines && !exchange.is_stream)
    exchange.is_stream = static_cast<size_t>(std::count(held.begin(), held.end(), '\n')) > kMostLinesAtOnce ||
                         exchange.route->operation == query_documents;
  return push(lane_of(exchange), exchange);
}

Step Service::push(Queue& lane, Exchange& exchange) {
  exchange.waiter.suspend();  // from here on nothing may throw before it is resumed
  if (lane.push(exchange)) return Step::kWait;
  work_for(exchange, [&] {
    state_.metrics.refused("queue");
    refuse_rest(exchange, {429, "busy", "too many requests are waiting (--max-waiting)"});
  });
  if (exchange.has_ended && exchange.refusal) {
    exchange.response = std::move(*exchange.refusal);
    exchange.is_done = true;
  }
  exchange.waiter.resume();
  return Step::kWait;
}

// What is told beside an answer is no reason to lose it.
void Service::answer(Exchange& exchange) noexcept {
  constexpr int kNotNow = 503;
  if (exchange.has_no_answer) exchange.response = {.status = kNotNow, .code = code_name(Code::kMemory)};
  static_cast<void>(tried([&] {
    if (is_store_on_server(state_)) allow_again(exchange.response);
  }));
  static_cast<void>(tried([&] { count(exchange); }));
}

void Service::count(const Exchange& exchange) {
  const auto now = std::chrono::steady_clock::now();
  const bool was_read = exchange.ended != std::chrono::steady_clock::time_point();
  const auto latency = was_read ? std::chrono::duration_cast<std::chrono::microseconds>(now - exchange.ended)
                                : std::chrono::microseconds(0);
  const size_t index =
      exchange.route == nullptr ? routes().size() : static_cast<size_t>(exchange.route - routes().data());
  state_.metrics.answered(index, exchange.response.status, latency, exchange.received_bytes,
                          exchange.response.body.size());
  if (exchange.route != nullptr && exchange.route->access != Access::kNone && was_read)
    state_.metrics.latency().add(now, latency);
  constexpr int kOurFault = 500, kNotNow = 503;
  const bool failed = exchange.response.status >= kOurFault && exchange.response.status != kNotNow;
  if (!failed && !state_.options.log_requests) return;
  const LogField fields[] = {{"request", static_cast<double>(exchange.number)},
                             {"method", method_name(exchange.method)},
                             {"path", split_target(exchange.uri).path},
                             {"status", static_cast<double>(exchange.response.status)},
                             {"us", static_cast<double>(latency.count())},
                             {"received_bytes", static_cast<double>(exchange.received_bytes)},
                             {"sent_bytes", static_cast<double>(exchange.response.body.size())},
                             {"error", failed ? std::string_view(exchange.response.body) : std::string_view()}};
  state_.log.line(failed ? "error" : "info", "request", fields);
}

}  // namespace neardup::server
