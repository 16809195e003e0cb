// When the requests of a load are due, and how long each took.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "neardup/bench/measurement.h"

namespace neardup::bench {

/// Open loop: request i is due i / rate after the start, whatever became of those before it, and what it took counts
/// from there: a server that stands still is charged with all that should have been asked meanwhile, not only with what
/// was under way ("coordinated omission": Gil Tene). Closed loop (rate 0): a request is due when somebody has time to
/// send it, and counts from there. Times are since the start of the load. Threads: one at a time.
class LoadSchedule {
 public:
  using Time = std::chrono::nanoseconds;

  /// `count` requests, `per_second` of them each second, evenly; 0: closed loop.
  LoadSchedule(uint64_t count, double per_second) : count_(count), per_second_(per_second) {}

  struct Planned {
    uint64_t index = 0;
    Time from{};  // what it takes counts from here
  };
  /// Returns the next request that is due, once.
  [[nodiscard]] std::optional<Planned> take_due(Time now);
  /// Returns when take_due() has the next one; nothing where all were taken.
  [[nodiscard]] std::optional<Time> next_due() const;
  void answered(const Planned& planned, Time now) { took(now - planned.from); }
  /// The load ends now: each request that was due and never taken has taken until now. Returns how many were never
  /// taken.
  uint64_t give_up(Time now);

  /// Of all that was answered or given up, in microseconds.
  [[nodiscard]] Quantiles quantiles() const { return quantiles_of(took_us_); }

 private:
  [[nodiscard]] Time due(uint64_t index) const;
  void took(Time time) { took_us_.push_back(std::chrono::duration<double, std::micro>(time).count()); }

  const uint64_t count_;
  const double per_second_;
  uint64_t next_ = 0;
  std::vector<double> took_us_;
};

}  // namespace neardup::bench
