// One request and its answer, from its first byte to its last.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/base/tried.h"
#include "neardup/corpus/raw_buffer.h"
#include "neardup/server/byte_budget.h"
#include "neardup/server/document_batch.h"
#include "neardup/server/route.h"

namespace neardup::server {

/// What the transport does for an exchange. Threads: suspend() from the one that reads the request, resume() from any.
class Waiter {
 public:
  virtual ~Waiter() = default;
  /// Nothing more is read or sent until resume().
  virtual void suspend() = 0;
  virtual void resume() = 0;
};

/// What is known of a request before its body.
struct Head {
  std::string_view method;                                   // "GET"
  std::function<std::string_view(const char* name)> header;  // empty where it is not there
};

/// What the transport has to do next.
enum class Step : uint8_t {
  kRead,    // the rest of the body
  kWait,    // until it is resumed
  kAnswer,  // send the response
  kClose,   // the connection, without an answer
};

/// What is known of an exchange. The thread that reads it and the worker that has it take turns.
struct Exchange {
  Exchange(std::string target, Waiter& its_waiter, ByteBudget& budget, uint64_t its_number)
      : uri(std::move(target)), waiter(its_waiter), number(its_number), share(budget) {}

  const std::string uri;
  Waiter& waiter;
  const uint64_t number;
  Method method = Method::kOther;
  const Route* route = nullptr;
  Request request;
  BatchRequest batch;      // of documents
  size_t query_limit = 0;  // of queries

  std::optional<BodyForm> form;     // nothing: not known before its first bytes
  bool is_form_found = false;       // by those: the request does not say it
  std::optional<Response> refusal;  // then the rest of the body is dropped
  corpus::RawBuffer body;           // of a stream what was not worked on yet
  size_t scanned_bytes = 0;         // of `body`, of lines: so far their ends were looked for
  size_t line_begin = 0;            // behind the last end of a line in them
  uint64_t received_bytes = 0;
  bool skips_line = false;  // one that is too long: up to its end
  bool is_stream = false;   // lines are worked on before the body ends
  bool has_ended = false;   // the body
  bool is_done = false;     // the response is there
  StreamPlace place;
  ByteBudget::Share share;

  Response response;
  bool closes = false;         // the connection, behind the answer
  bool has_no_answer = false;  // memory was refused for it: the transport has one that is ready (out_of_memory_body)
  std::chrono::steady_clock::time_point ended;
  Exchange* next_in_lane = nullptr;
};

/// Does what an exchange waits for. Where it throws there is no answer, and the transport gives the one that it has
/// ready: nobody else would answer.
template <class Work>
void work_for(Exchange& exchange, const Work& work) noexcept {
  if (!tried(work)) exchange.has_no_answer = true;
}

}  // namespace neardup::server
