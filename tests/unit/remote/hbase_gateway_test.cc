// Connections of a client to HBase's gateway, over a port at which nobody says anything.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "neardup/remote/hbase/gateway.h"
#include "tests/loopback_listener.h"

namespace neardup::remote::hbase {
namespace {

class HBaseGateway : public testing::Test {
 protected:
  HBaseGateway() {
    const auto uri = parse_remote_uri("hbase://127.0.0.1:" + std::to_string(listener_.port()) + "/table");
    EXPECT_TRUE(uri);
    gateway_ = std::make_unique<Gateway>(*uri, RemoteOptions());
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
  [[nodiscard]] static bool is_open(int socket) {
    char byte = 0;
    return ::recv(socket, &byte, 1, MSG_DONTWAIT) < 0;  // 0: its end
  }

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

}  // namespace
}  // namespace neardup::remote::hbase
