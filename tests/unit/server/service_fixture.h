// A service without sockets, and requests to it.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "neardup/server/service.h"
#include "tests/comes_true.h"
#include "tests/unit/server/fake_backend.h"

namespace neardup::server {

using Headers = std::map<std::string, std::string>;

class TestWaiter : public Waiter {
 public:
  void suspend() override {
    const std::lock_guard lock(mutex_);
    is_suspended_ = true;
  }
  void resume() override {
    const std::lock_guard lock(mutex_);
    is_suspended_ = false;
    resumed_.notify_all();  // within: who waits may end this as soon as it can
  }
  /// Returns whether it was resumed before that became too long.
  [[nodiscard]] bool wait() {
    std::unique_lock lock(mutex_);
    return resumed_.wait_for(lock, std::chrono::seconds(30), [&] { return !is_suspended_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable resumed_;
  bool is_suspended_ = false;
};

inline std::string document(int id, const std::string& text) {
  return "{\"id\":\"" + std::to_string(id) + "\",\"text\":\"" + text + "\"}";
}

inline constexpr const char* kInsert = "/v1/check-and-insert";

class ServiceTest : public testing::Test {
 protected:
  void start(const ServerOptions& options = {}) {
    state_.reset(new ServiceState{.options = options,
                                  .keys = {},
                                  .log = log_,
                                  .metrics = Metrics(std::vector<std::string>(routes().size() + 1, "route"))});
    auto backend = std::make_unique<FakeBackend>();
    backend_ = backend.get();
    state_->backend = std::move(backend);
    state_->phase = Phase::kReady;
    service_ = std::make_unique<Service>(*state_);
  }
  /// With one worker, whom the store holds up until backend_->set_open(true): what is brought meanwhile waits.
  void start_held(ServerOptions options = {}) {
    options.work_threads = 1;
    start(options);
    backend_->set_open(false);
  }
  void TearDown() override {
    if (backend_ != nullptr) backend_->set_open(true);
    service_.reset();
  }

  struct Asked {
    TestWaiter waiter;
    std::unique_ptr<Exchange> exchange;
    Step step = Step::kRead;
  };

  /// Returns false where nothing comes even with the store open: then the test ends.
  bool wait(TestWaiter& waiter) {
    if (waiter.wait()) return true;
    ADD_FAILURE() << "a request waits for 30 s";
    backend_->set_open(true);
    return waiter.wait();
  }

  /// Brings a request up to the end of its body.
  std::unique_ptr<Asked> bring(const std::string& method, const std::string& uri, std::string_view body,
                               const Headers& headers = {{"Content-Type", "application/json"}}, size_t piece = 1000) {
    auto asked = std::make_unique<Asked>();
    asked->exchange = service_->open(uri, asked->waiter);
    const Head head{method, [&](const char* name) {
                      const auto found = headers.find(name);
                      return found == headers.end() ? std::string_view() : std::string_view(found->second);
                    }};
    asked->step = service_->begin(*asked->exchange, head);
    while (asked->step == Step::kRead && !body.empty()) {
      asked->step = service_->take(*asked->exchange, body.substr(0, piece));
      body.remove_prefix(std::min(piece, body.size()));
      if (asked->step == Step::kWait) asked->step = wait(asked->waiter) ? Step::kRead : Step::kWait;
    }
    if (asked->step == Step::kRead) asked->step = service_->end(*asked->exchange);
    return asked;
  }

  /// Brings documents first, first + 1, ... before `end`, each in a request of its own.
  void bring_each(std::vector<std::unique_ptr<Asked>>& all, int first, int end, const std::string& text) {
    for (int i = first; i < end; ++i) all.push_back(bring("POST", kInsert, document(i, text)));
  }

  const Response& answer(Asked& asked) {
    while (asked.step == Step::kWait && wait(asked.waiter)) asked.step = service_->end(*asked.exchange);
    EXPECT_EQ(asked.step, Step::kAnswer);
    if (asked.step == Step::kAnswer) service_->answer(*asked.exchange);
    return asked.exchange->response;
  }

  Response ask(const std::string& method, const std::string& uri, std::string_view body = {},
               const Headers& headers = {{"Content-Type", "application/json"}}, size_t piece = 1000) {
    return answer(*bring(method, uri, body, headers, piece));
  }

  /// Looks until `path` answers with `status`, for a minute at most: the store is asked once a second.
  Response ask_until(const std::string& path, int status) {
    Response response;
    comes_true([&] { return (response = ask("GET", path)).status == status; });
    return response;
  }

  std::string logged_;
  Log log_{[this](std::string_view line) { logged_ += line; }};
  std::unique_ptr<ServiceState> state_;
  FakeBackend* backend_ = nullptr;
  std::unique_ptr<Service> service_;
};

inline const Headers kLines = {{"Content-Type", "application/x-ndjson"}};

}  // namespace neardup::server
