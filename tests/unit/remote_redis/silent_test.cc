// A server that is silent or gone: each call waits for one time limit, whatever it consists of.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "neardup/remote/open_remote.h"
#include "tests/quickest.h"
#include "tests/unit/remote_redis/redis_hardship.h"

namespace neardup::remote {
namespace {

using Clock = std::chrono::steady_clock;

class RedisSilent : public RedisHardship {
 protected:
  static constexpr std::chrono::milliseconds kLimit{1000};

  static std::string place(const RedisServer& server) {
    return "redis://127.0.0.1:" + std::to_string(server.port()) + "/t?timeout=1";
  }
  static Status put(RemoteStore& store, const std::string& id) {
    const uint64_t key = mix64(id.size()), fingerprint = mix64(7 + id.size());
    store::Record record;
    record.id = id;
    record.keys = {&key, 1}, record.fingerprints = {&fingerprint, 1};
    return store.put({&record, 1});
  }
  static void expect_one_limit(const char* what, const std::function<Status()>& call) {
    constexpr auto kMost = 2 * kLimit - kLimit / 4;
    const auto took = quickest_call(kMost, [&] {
      const Status status = call();
      EXPECT_TRUE(!status && status.error().code == Code::kIo) << what << (status ? "" : ": " + status.error().message);
    });
    EXPECT_LT(took, kMost) << what;
  }
  static void expect_one_limit_each(RemoteStore& store) {
    const std::string_view id = "a";
    const auto status_of = [](const auto& result) {
      return result ? Status() : Status(tl::unexpected<Error>(result.error()));
    };
    expect_one_limit("put", [&] { return put(store, "abc"); });
    expect_one_limit("erase", [&] { return status_of(store.erase({&id, 1})); });
    expect_one_limit("begin_tag", [&] { return status_of(store.begin_tag("t")); });
    expect_one_limit("find", [&] { return status_of(store.find(id, [](const store::Record&) {})); });
  }
};

TEST_F(RedisSilent, ACallWaitsForOneLimit) {
  RedisServer server;
  const auto store = create_remote_store(place(server), settings());
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE(put(**store, "a"));
  server.set_silent(true);
  expect_one_limit_each(**store);
  server.set_silent(false);
  EXPECT_TRUE(put(**store, "ab"));
  server.stop();
  expect_one_limit_each(**store);
  server.start();
}

}  // namespace
}  // namespace neardup::remote
