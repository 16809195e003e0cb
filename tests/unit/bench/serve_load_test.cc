#include "neardup/bench/serve_load.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/loopback_listener.h"

namespace neardup::bench {
namespace {

using std::chrono::milliseconds;

/// Answers each request, which must come in one piece, by what `answer` returns for its number; "" closes the
/// connection. One connection after the other.
class ToyServer {
 public:
  explicit ToyServer(std::function<std::string(int number)> answer)
      : answer_(std::move(answer)), thread_([this] { run(); }) {}
  ~ToyServer() {
    ends_ = true;
    thread_.join();
  }
  [[nodiscard]] LoopbackAddress address() const { return {listener_.port()}; }

 private:
  [[nodiscard]] bool comes(int descriptor) const {
    pollfd waits{descriptor, POLLIN, 0};
    while (!ends_) {
      if (poll(&waits, 1, 5) == 1) return true;
    }
    return false;
  }
  void run() {
    while (comes(listener_.socket())) {
      const int connection = listener_.accept();
      serve(connection);
      close(connection);
    }
  }
  void serve(int connection) {
    char buffer[4096];
    while (comes(connection) && recv(connection, buffer, sizeof buffer, 0) > 0) {
      const std::string answer = answer_(number_++);
      if (answer.empty()) return;
      if (send(connection, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return;
    }
  }

  const std::function<std::string(int number)> answer_;
  const LoopbackListener listener_;
  int number_ = 0;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

const std::string kGoodAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
const std::string kBusyAnswer = "HTTP/1.1 429 Busy\r\nContent-Length: 25\r\n\r\n{\"error\":{\"code\":\"busy\"}}";

std::vector<std::string> requests(size_t count) {
  return std::vector<std::string>(count, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
}

LoadPlan plan_of(double per_second) { return {.per_second = per_second, .connections = 1}; }

// Each 2 ms a request on one connection; the server stands still for 200 ms at one of them.
TEST(Load, StallIsChargedToAllThatWasDueMeanwhile) {
  const ToyServer server([](int number) {
    if (number == 50) std::this_thread::sleep_for(milliseconds(200));
    return kGoodAnswer;
  });
  const auto result = run_load(server.address(), requests(200), plan_of(500));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->num_good, 200u);
  EXPECT_TRUE(result->errors.empty());
  EXPECT_GE(result->seconds, .39);
  EXPECT_GE(result->latency_us.worst, 200'000);
  EXPECT_GE(result->latency_us.p99, 180'000) << "a hundred requests waited for it, not one";
}

TEST(Load, ClosedLoopSeesTheStallOnce) {
  const ToyServer server([](int number) {
    if (number == 50) std::this_thread::sleep_for(milliseconds(200));
    return kGoodAnswer;
  });
  const auto result = run_load(server.address(), requests(200), plan_of(0));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_GE(result->latency_us.worst, 200'000);
  EXPECT_LT(result->latency_us.p50, 200'000);
  EXPECT_EQ(result->num_good, 200u);
}

TEST(Load, RefusalsAndLostConnectionsAreCountedByName) {
  const ToyServer server([](int number) { return number % 10 == 3 ? kBusyAnswer : number == 25 ? "" : kGoodAnswer; });
  const auto result = run_load(server.address(), requests(100), plan_of(0));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->errors, (std::map<std::string, uint64_t>{{"429 busy", 10}, {"connection closed", 1}}));
  EXPECT_EQ(result->num_good, 89u);
  EXPECT_EQ(result->num_requests, 100u);
}

TEST(Load, WhoNeverAnswersIsGivenUp) {
  std::atomic<bool> ends = false;
  const ToyServer server([&](int number) {
    while (number == 5 && !ends) std::this_thread::sleep_for(milliseconds(5));
    return kGoodAnswer;
  });
  LoadPlan plan = plan_of(1000);
  plan.patience = milliseconds(3000);  // enough for each of the first five, on any machine
  const auto result = run_load(server.address(), requests(100), plan);
  ends = true;
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->num_good, 5u);
  EXPECT_EQ(result->errors, (std::map<std::string, uint64_t>{{"no answer", 1}, {"not sent", 94}}));
  EXPECT_GE(result->latency_us.p50, 2'800'000) << "those that were due count with the time that they waited";
}

TEST(Load, ManyConnectionsSendEachRequestOnce) {
  std::atomic<int> asked = 0;
  const ToyServer one([&](int) { return ++asked, kGoodAnswer; });
  const auto result = run_load(one.address(), requests(1), {.connections = 64});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(asked, 1);
}

TEST(Load, NobodyThere) {
  const LoopbackListener closed(false);
  EXPECT_EQ(run_load({closed.port()}, requests(1), plan_of(0)).error().code, Code::kIo);
  EXPECT_EQ(get({closed.port()}, "/").error().code, Code::kIo);
}

TEST(LoopbackUrl, ReadsServersOfThisMachineAlone) {
  EXPECT_EQ(read_loopback_url("http://127.0.0.1:7464")->port, 7464);
  EXPECT_EQ(read_loopback_url("http://localhost:80/")->port, 80);
  for (const char* url : {"", "http://127.0.0.1", "http://127.0.0.1:", "http://127.0.0.1:0", "http://127.0.0.1:99999",
                          "http://192.0.2.1:80", "https://127.0.0.1:80", "http://127.0.0.1:80/path", "127.0.0.1:80"})
    EXPECT_EQ(read_loopback_url(url).error().code, Code::kInvalidArgument) << url;
}

}  // namespace
}  // namespace neardup::bench
