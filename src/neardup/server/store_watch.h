// Whether the server behind a store answers: looked at from time to time, so that it is known before anybody asks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "neardup/server/backend.h"
#include "neardup/server/log.h"

namespace neardup::server {

/// Asks Backend::reach() once a second, by a thread of its own, and logs when the answer changes: "store_gone" with the
/// reason, "store_back". Calls may wait longer: a store that has not answered within kLimit counts as gone until it
/// does. Threads: any.
class StoreWatch {
 public:
  static constexpr std::chrono::milliseconds kLimit{2000};

  /// Both outlive it.
  StoreWatch(const Backend& backend, Log& log);
  StoreWatch(const StoreWatch&) = delete;
  StoreWatch& operator=(const StoreWatch&) = delete;
  /// Waits for a question that is under way.
  ~StoreWatch();

  /// Returns why the store does not answer; nothing where it does.
  [[nodiscard]] std::optional<std::string> why_gone() const;

 private:
  using Clock = std::chrono::steady_clock;
  void ask();
  void ask_once(std::unique_lock<std::mutex>& lock);
  void heed_limit();
  void stop();
  void note(const Status& reached);  // requires: mutex_ is held

  const Backend& backend_;
  const Status late_;  // what is said of a store that does not answer
  Log& log_;
  mutable std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::optional<std::string> why_gone_;
  std::optional<Clock::time_point> asked_;  // the question that is under way
  std::thread asks_, heeds_limit_;
};

}  // namespace neardup::server
