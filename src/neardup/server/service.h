// What answers requests, whoever brings them: reads bodies, hands work to lanes, makes answers.
#pragma once

#include <memory>
#include <vector>

#include "neardup/server/exchange.h"
#include "neardup/server/lane.h"
#include "neardup/server/service_state.h"

namespace neardup::server {

/// Threads: begin(), take() and end() of one exchange from one at a time; of different ones at once.
class Service {
 public:
  explicit Service(ServiceState& state);
  ~Service();

  [[nodiscard]] std::unique_ptr<Exchange> open(std::string uri, Waiter& waiter);
  /// The request is of no use, and no more is read of its connection.
  [[nodiscard]] static Step turn_away(Exchange& exchange, const Refusal& refusal);
  /// The headers are there.
  [[nodiscard]] Step begin(Exchange& exchange, const Head& head);
  /// More of the body, all of which is taken.
  [[nodiscard]] Step take(Exchange& exchange, std::string_view bytes);
  /// The body is complete; also called again when the exchange was resumed.
  [[nodiscard]] Step end(Exchange& exchange);
  /// The response is about to be sent. Where there is none for want of memory (has_no_answer) it becomes one of status
  /// 503 without a body.
  void answer(Exchange& exchange) noexcept;

  /// Does what waits, and takes nothing more.
  void stop();

 private:
  using Queue = Lane<Exchange>;
  void refuse_rest(Exchange& exchange, const Refusal& refusal);
  void count(const Exchange& exchange);
  [[nodiscard]] Step push(Queue& lane, Exchange& exchange);
  [[nodiscard]] Queue& lane_of(const Exchange& exchange);

  ServiceState& state_;
  Queue arrivals_, tasks_, streams_, slow_;
};

}  // namespace neardup::server
