#include "neardup/server/store_watch.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "neardup/base/tried.h"

namespace neardup::server {
namespace {

// A lack of memory here, and a call that was stopped, say nothing of the store.
bool tells(const Status& reached) {
  return reached || (reached.error().code != Code::kCancelled && reached.error().code != Code::kMemory);
}

}  // namespace

StoreWatch::StoreWatch(const Backend& backend, Log& log)
    : backend_(backend),
      late_(fail(Code::kIo, fmt::format("the store has not answered for {} ms", kLimit.count()))),
      log_(log) {
  try {
    asks_ = std::thread([this] { ask(); });
    heeds_limit_ = std::thread([this] { heed_limit(); });
  } catch (...) {
    stop();
    throw;
  }
}

StoreWatch::~StoreWatch() { stop(); }

void StoreWatch::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  for (std::thread* thread : {&asks_, &heeds_limit_})
    if (thread->joinable()) thread->join();
}

std::optional<std::string> StoreWatch::why_gone() const {
  const std::lock_guard lock(mutex_);
  return why_gone_;
}

void StoreWatch::ask() {
  constexpr std::chrono::seconds kPause{1};
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kPause, [this] { return stopped_; })) ask_once(lock);
}

void StoreWatch::ask_once(std::unique_lock<std::mutex>& lock) {
  asked_ = Clock::now();
  lock.unlock();
  Status reached;
  const bool is_asked = tried([&] { reached = backend_.reach(); });
  lock.lock();
  asked_.reset();
  if (is_asked && tells(reached)) static_cast<void>(tried([&] { note(reached); }));
}

// A question waits as long as any call.
void StoreWatch::heed_limit() {
  constexpr std::chrono::milliseconds kPause{100};
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kPause, [this] { return stopped_; }))
    if (asked_ && !why_gone_ && Clock::now() - *asked_ >= kLimit) static_cast<void>(tried([&] { note(late_); }));
}

// Logs under the lock, so that what is logged comes in the order of what happened.
// What may fail comes before it is known: else nobody would log it.
void StoreWatch::note(const Status& reached) {
  const bool was_gone = why_gone_.has_value();
  if (reached) {
    why_gone_.reset();
    if (was_gone) log_.info("store_back");
    return;
  }
  std::optional<std::string> why = reached.error().message;
  const std::vector<LogField> fields{{"error", std::string_view(*why)}};
  why_gone_ = std::move(why);
  if (!was_gone) log_.line("error", "store_gone", fields);
}

}  // namespace neardup::server
