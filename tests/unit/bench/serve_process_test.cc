#include "neardup/bench/serve_process.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/own_path.h"

namespace neardup::bench {
namespace {

/// Starts a shell script as a server. Each of them ends instead of serving.
class ServerProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string error_of(const std::string& script) const {
    std::ofstream(folder_ + "/server") << "#!/bin/sh\n" << script;
    std::filesystem::permissions(folder_ + "/server", std::filesystem::perms::owner_all);
    const auto started = ServerProcess::start({folder_ + "/server", folder_, folder_ + "/log"});
    EXPECT_FALSE(started);
    if (started) return {};
    EXPECT_EQ(started.error().code, Code::kIo);
    return started.error().message;
  }

  const std::string folder_ = own_path();
};

TEST_F(ServerProcessTest, SaysWhyItDidNotStart) {
  EXPECT_EQ(error_of("echo 'neardup: it is held by another' >&2; echo 'Try: neardup help serve' >&2; exit 2"),
            "the server does not start: it is held by another");
  EXPECT_EQ(error_of("echo 'sh: no memory' >&2; exit 1"), "the server does not start: sh: no memory");
  EXPECT_EQ(error_of("exit 1"), "the server does not start: it ended without a word");
}

TEST_F(ServerProcessTest, SaysWhyItEndedBehindItsAddress) {
  EXPECT_EQ(error_of("echo 'listening on http://127.0.0.1:9'; sleep .1; echo 'neardup: damaged' >&2; exit 1"),
            "the server does not start: damaged");
}

TEST_F(ServerProcessTest, IsToldItsConnections) {
  std::ofstream(folder_ + "/server") << "#!/bin/sh\necho neardup: $* >&2";
  std::filesystem::permissions(folder_ + "/server", std::filesystem::perms::owner_all);
  ServerCommand command{folder_ + "/server", "store", folder_ + "/log"};
  command.connections = 5000;
  EXPECT_EQ(ServerProcess::start(command).error().message,
            "the server does not start: serve store --listen 127.0.0.1:0 --max-connections 5000");
}

// Which others on the machine cannot read.
TEST_F(ServerProcessTest, IsToldThePasswordByTheEnvironment) {
  std::ofstream(folder_ + "/server") << "#!/bin/sh\necho neardup: $2 $NEARDUP_REDIS_PASSWORD $NEARDUP_TEST_OTHER >&2";
  std::filesystem::permissions(folder_ + "/server", std::filesystem::perms::owner_all);
  const auto told = [&](const std::string& place) {
    return ServerProcess::start({folder_ + "/server", place, folder_ + "/log"}).error().message;
  };
  ASSERT_EQ(setenv("NEARDUP_REDIS_PASSWORD", "another", 1), 0);
  ASSERT_EQ(setenv("NEARDUP_TEST_OTHER", "other", 1), 0);
  EXPECT_EQ(told("redis://u:a%40b@h:1/p?cacert=/c"), "the server does not start: redis://u@h:1/p?cacert=/c a@b other");
  EXPECT_EQ(told("redis://h:1/p"), "the server does not start: redis://h:1/p another other");
  EXPECT_EQ(told("folder"), "the server does not start: folder another other");
  ASSERT_EQ(unsetenv("NEARDUP_REDIS_PASSWORD") + unsetenv("NEARDUP_TEST_OTHER"), 0);
  EXPECT_EQ(told("redis://:s@h:1/p"), "the server does not start: redis://h:1/p s");
}

}  // namespace
}  // namespace neardup::bench
