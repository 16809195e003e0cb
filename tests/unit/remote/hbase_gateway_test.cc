// Connections of a client to HBase's gateway, over a port at which nobody says anything.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "neardup/remote/hbase/gateway.h"
#include "tests/loopback_listener.h"
#include "tests/quickest.h"
#include "tests/unit/remote/fake_hbase.h"

namespace neardup::remote::hbase {
namespace {

using std::chrono::milliseconds;

class HBaseGateway : public testing::Test {
 protected:
  HBaseGateway() {
    const auto uri = parse_remote_uri("hbase://127.0.0.1:" + std::to_string(listener_.port()) + "/table");
    EXPECT_TRUE(uri);
    RemoteOptions options;
    options.call_timeout = kLimit;
    gateway_ = std::make_unique<Gateway>(*uri, options);
  }
  ~HBaseGateway() override {
    gateway_.reset();
    for (const int socket : accepted_) ::close(socket);
  }
  /// A call that neither sends nor receives; returns how many new connections there are.
  size_t call() {
    EXPECT_TRUE(gateway_->call("calling", {[](Client&) {}, [](Client&) {}}));
    return accept_all();
  }
  size_t accept_all() {
    size_t count = 0;
    for (pollfd waiting{listener_.socket(), POLLIN, 0}; ::poll(&waiting, 1, 50) > 0; ++count)
      accepted_.push_back(listener_.accept());
    return count;
  }
  /// Connects until the next one would wait.
  void connect_until_full() {
    const sockaddr_in address = loopback_address(listener_.port());
    for (bool is_full = false; !is_full;) {
      const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
      ASSERT_GE(socket, 0);
      accepted_.push_back(socket);
      static_cast<void>(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address));
      pollfd connected{socket, POLLOUT, 0};
      is_full = ::poll(&connected, 1, 100) == 0;
    }
  }
  /// Ends all connections, so that the next one need not wait.
  void let_in() {
    accept_all();
    for (const int socket : std::exchange(accepted_, {})) ::close(socket);
  }
  [[nodiscard]] static bool is_open(int socket) {
    char byte = 0;
    return ::recv(socket, &byte, 1, MSG_DONTWAIT) < 0;  // 0: its end
  }

  /// Asks for as much at once; returns the error, which must come when nothing was heard for one limit. Of some tries,
  /// each after `prepare`, the quickest, as the machine may be busy: two limits are two each time.
  Error silence_of(
      const std::vector<Exchange>& exchanges, const std::function<void()>& prepare = [] {}) {
    Error error{Code::kIo, "none"};
    const std::chrono::steady_clock::duration most = kLimit + kSlack;
    const auto least = quickest(most, [&] {
      prepare();
      const auto begin = std::chrono::steady_clock::now();
      const Status called =
          exchanges.size() == 1 ? gateway_->call("asking", exchanges[0]) : gateway_->call_all("asking", exchanges);
      const auto took = std::chrono::steady_clock::now() - begin;
      EXPECT_GE(took, kLimit * 9 / 10);
      error = called ? Error{Code::kIo, "none"} : called.error();
      return took;
    });
    EXPECT_LT(least, most) << "as if each of them had a limit of its own";
    return error;
  }

  // Of a slow machine; with it one limit is still less than nearly two.
  static constexpr milliseconds kLimit{2500}, kSlack{2000};
  const Exchange silent_{[](Client& client) { client.send_getClusterId(); },
                         [](Client& client) {
                           std::string id;
                           client.recv_getClusterId(id);
                         }};
  const LoopbackListener listener_;
  std::vector<int> accepted_;
  std::unique_ptr<Gateway> gateway_;
};

TEST_F(HBaseGateway, ConnectionsAreUsedAgain) {
  EXPECT_EQ(call(), 1u);
  EXPECT_EQ(call(), 0u);
  EXPECT_TRUE(is_open(accepted_[0]));
}

// Whether the child calls or only ends, the parent's stream goes on.
TEST_F(HBaseGateway, AChildOfAForkTakesNoConnectionOfItsParentAndEndsNone) {
  ASSERT_EQ(call(), 1u);
  for (const bool calls : {true, false}) {
    const pid_t child = ::fork();
    if (child == 0) {
      const bool is_called = !calls || gateway_->call("calling", {[](Client&) {}, [](Client&) {}});
      gateway_.reset();
      std::_Exit(is_called ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(accept_all(), calls ? 1u : 0u);
    EXPECT_TRUE(is_open(accepted_[0]));
  }
  EXPECT_EQ(call(), 0u) << "the parent goes on with its own";
}

TEST_F(HBaseGateway, HoweverManyAreAskedSilenceIsWaitedForOnce) {
  for (const size_t count : {1, 9}) {
    const Error error = silence_of(std::vector<Exchange>(count, silent_));
    EXPECT_EQ(error.code, Code::kIo);
    const std::string where = "HBase's Thrift 2 gateway at 127.0.0.1:" + std::to_string(listener_.port());
    EXPECT_EQ(error.message, where +
                                 ": asking failed: no answer came for 2.5 s; look into the gateway's log and try "
                                 "again, or wait longer (timeout=SECONDS in the URI)");
  }
}

// As a profiler does.
TEST_F(HBaseGateway, SignalsThatInterruptItDoNotMakeItWaitLongerNorFail) {
  struct sigaction before {
  }, ignored{};
  ignored.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGUSR1, &ignored, &before), 0);
  std::atomic<bool> ends = false;
  std::thread interrupts([&, caller = ::pthread_self()] {
    for (; !ends; std::this_thread::sleep_for(milliseconds(20))) ::pthread_kill(caller, SIGUSR1);
  });
  for (const size_t count : {1, 9}) {
    const Error error = silence_of(std::vector<Exchange>(count, silent_));
    EXPECT_NE(error.message.find("no answer came for 2.5 s"), std::string::npos) << error.message;
  }
  ends = true;
  interrupts.join();
  EXPECT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

TEST_F(HBaseGateway, WhoSaysNothingAnyMoreAfterSomeAnswersIsGivenUpLikewise) {
  std::vector<Exchange> exchanges(9, silent_);
  exchanges[0] = exchanges[1] = exchanges[6] = {[](Client&) {}, [](Client&) {}};
  EXPECT_EQ(silence_of(exchanges).code, Code::kIo);
}

// A server that says late that it is busy, and then nothing.
TEST_F(HBaseGateway, TriesOfOneCallShareItsLimit) {
  bool is_first = true;
  const Exchange busy{silent_.send, [&](Client& client) {
                        if (!std::exchange(is_first, false)) return silent_.receive(client);
                        std::this_thread::sleep_for(kLimit * 9 / 10);
                        FakeHBase::refuse("busy", true);
                      }};
  EXPECT_EQ(silence_of({busy}, [&] { is_first = true; }).code, Code::kIo);
}

TEST_F(HBaseGateway, AnswersThatComeInTimeAreWaitedForHoweverManyThereAre) {
  constexpr size_t kCount = 16;
  constexpr milliseconds kPause{200};
  static_assert(kPause * kCount > kLimit + milliseconds(500), "all of them take longer than one limit");
  static_assert(kPause * Gateway::kAtOnce < kLimit / 2, "each of them takes far less");
  FakeGateway server;
  std::mutex one_at_a_time;
  server.hbase->set_meets([&](std::string_view) {
    const std::lock_guard lock(one_at_a_time);
    std::this_thread::sleep_for(kPause);
  });
  RemoteOptions options;
  options.call_timeout = kLimit;
  Gateway gateway(server.uri(), options);
  const Status called = gateway.call_all("asking", std::vector<Exchange>(kCount, silent_));
  EXPECT_TRUE(called) << called.error().message;
  EXPECT_EQ(server.hbase->num_calls("getClusterId"), kCount) << "none was asked again";
}

// A server that is full: the system lets nobody in.
TEST_F(HBaseGateway, AConnectThatTheLimitCutShortIsNotWhyACallFailed) {
  ASSERT_EQ(::listen(listener_.socket(), 0), 0);
  const Exchange hung_up{[](Client&) {},
                         [&](Client&) {
                           connect_until_full();
                           throw apache::thrift::transport::TTransportException(
                               apache::thrift::transport::TTransportException::END_OF_FILE, "it hung up");
                         }};
  const Error error = silence_of({hung_up}, [&] { let_in(); });
  EXPECT_NE(error.message.find("asking failed: it hung up; "), std::string::npos) << error.message;
}

}  // namespace
}  // namespace neardup::remote::hbase
