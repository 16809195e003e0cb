// How a store on Redis begins and ends where others come between, or somebody dies half-way.
#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "neardup/base/disk/file.h"
#include "neardup/remote/redis/redis_backend.h"
#include "neardup/remote/redis/redis_store.h"
#include "tests/hbase/proxy.h"
#include "tests/unit/remote_redis/redis_hardship.h"

namespace neardup::remote {
namespace {

class RedisLife : public RedisHardship {
 protected:
  void SetUp() override {
    RedisHardship::SetUp();
    options_.connect_timeout = std::chrono::milliseconds(300);
  }
  static void expect_gone(const Status& status, std::string_view word, Code code = Code::kIo) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, code) << status.error().message;
    EXPECT_NE(status.error().message.find(word), std::string::npos) << status.error().message;
  }
  template <class T>
  static Status status_of(const Result<T>& result) {
    return result ? Status() : Status(tl::unexpected<Error>(result.error()));
  }
  static void expect_all_gone(Backend& backend, std::string_view word) {
    expect_gone(status_of(look(backend, 2)), word);
    expect_gone(status_of(backend.read(std::vector<uint64_t>{0})), word);
    expect_gone(status_of(backend.numbers_from(0, 10)), word);
    expect_gone(backend.compact(), word);
    expect_gone(status_of(backend.figures()), word);
    expect_gone(status_of(backend.reserve_numbers(1)), word);
  }
  static RemoteUri through(const Proxy& proxy, RemoteUri uri) {
    uri.port = proxy.port();
    return uri;
  }
  static std::string keys_of(const RedisServer& server, std::string_view pattern) {
    redis::ConnectionPool pool(server.uri(), {});
    redis::Request request;
    request.command({"KEYS", pattern});
    const auto keys = pool.ask(request);
    return keys ? std::to_string((*keys)[0].size) : keys.error().message;
  }
};

TEST_F(RedisLife, WhoseStoreWasDroppedAndMadeAnewIsTold) {
  RedisServer server;
  const auto backend = made(server.uri());
  ASSERT_EQ(*add(*backend, 1, "r"), std::vector<bool>{true});
  const auto before = look(*backend, 2);
  ASSERT_TRUE(before);
  ASSERT_TRUE(drop_redis_store(server.uri(), {}));
  expect_all_gone(*backend, "there no more");
  EXPECT_EQ(*add(*backend, *before, 2, "r"), std::vector<bool>{false});
  const auto other = made(server.uri({{"expect", "100000"}}));
  expect_all_gone(*backend, "open the store again");
  EXPECT_EQ(*add(*backend, *before, 2, "r"), std::vector<bool>{false});
  EXPECT_TRUE(other->numbers_from(0, 10)->empty());
}

TEST_F(RedisLife, AStoreWhoseServerLostAllIsNotAnEmptyOne) {
  RedisServer server;
  const auto backend = made(server.uri());
  ASSERT_EQ(*add(*backend, 1, "r"), std::vector<bool>{true});
  server.say({"FLUSHALL"});
  expect_all_gone(*backend, "there no more");
}

TEST_F(RedisLife, ACounterThatCannotBeIsDamaged) {
  RedisServer server;
  const auto backend = made(server.uri());
  for (const std::string_view bad : {"99999999999999999", "-1", "", "x", "12x"}) {
    server.say({"SET", "{t}n", bad});
    for (const Status& status : {status_of(backend->numbers_from(0, 10)), status_of(backend->look_up({})),
                                 backend->compact(), status_of(backend->figures())}) {
      ASSERT_FALSE(status) << bad;
      EXPECT_EQ(status.error().code, Code::kCorruption) << status.error().message;
    }
  }
}

TEST_F(RedisLife, ADropThatDiedIsFinishedByTheNextOne) {
  RedisServer server;
  const auto backend = made(server.uri());
  for (uint64_t i = 0; i < 100; ++i) ASSERT_EQ(*add(*backend, i, "r"), std::vector<bool>{true});
  Proxy proxy(server.port());
  proxy.pass = [](std::string_view bytes) { return bytes.find("SCAN") == std::string_view::npos; };
  ASSERT_FALSE(drop_redis_store(through(proxy, server.uri()), options_));
  expect_gone(status_of(open_redis_backend(server.uri(), options_)), "index drop", Code::kNotFound);
  const auto refused = create_redis_backend(server.uri(), settings(), options_, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kInvalidArgument);
  EXPECT_NE(refused.error().message.find("index drop"), std::string::npos) << refused.error().message;
  const Status dropped = drop_redis_store(server.uri(), options_);
  ASSERT_TRUE(dropped) << dropped.error().message;
  EXPECT_EQ(server.say({"DBSIZE"}), "0");
  const auto again = made(server.uri());
  const auto found = look(*again, 1);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->by_key[0].size() + found->by_fingerprint[0].size(), 0u);
}

// Two drop at once; the slower one must not take away what somebody made when the first one was done.
TEST_F(RedisLife, ADropThatOthersFinishedLeavesTheNextStoreAlone) {
  RedisServer server;
  auto backend = made(server.uri());
  Proxy proxy(server.port());
  std::atomic<bool> is_first = true;
  proxy.pass = [&](std::string_view bytes) {
    if (bytes.find("SCAN") == std::string_view::npos || !is_first.exchange(false)) return true;
    EXPECT_TRUE(drop_redis_store(server.uri(), {}));
    backend = made(server.uri());
    EXPECT_EQ(*add(*backend, 1, "r"), std::vector<bool>{true});
    return false;  // the scan is made again
  };
  options_.connect_timeout = std::chrono::milliseconds(2000);
  const Status dropped = drop_redis_store(through(proxy, server.uri()), options_);
  EXPECT_TRUE(dropped) << dropped.error().message;
  EXPECT_FALSE(is_first);
  expect_there(*backend, 1, "r");
  EXPECT_TRUE(open_redis_backend(server.uri(), options_));
}

TEST_F(RedisLife, OfTwoWhoMakeAStoreTheOneLeavesTheFilesOfTheOtherAlone) {
  RedisServer server;
  const std::vector<store::GivenFile> first = {{"common.bin", "of the first"}}, second = {{"common.bin", "another"}};
  Proxy proxy(server.port());
  std::atomic<bool> is_first = true;
  proxy.answer = [&](std::string_view bytes) {  // before the second one's goes on
    if (bytes.find("another") != std::string_view::npos && is_first.exchange(false)) {
      const auto made_first = create_redis_backend(server.uri(), settings(), {}, first);
      EXPECT_TRUE(made_first) << made_first.error().message;
    }
    return std::string();
  };
  options_.connect_timeout = std::chrono::milliseconds(3000);
  const auto refused = create_redis_backend(through(proxy, server.uri()), settings(), options_, second);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kInvalidArgument) << refused.error().message;
  EXPECT_FALSE(is_first);
  const auto opened = open_redis_backend(server.uri(), options_);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(*read_file((*opened)->file_path("common.bin")), "of the first");
  EXPECT_EQ(keys_of(server, "{t}f*"), "1");
}

TEST_F(RedisLife, WhoDiesWhileMakingAStoreIsInNobodysWay) {
  RedisServer server;
  const std::vector<store::GivenFile> files = {{"common.bin", "some"}};
  Proxy proxy(server.port());
  proxy.answer = [&](std::string_view bytes) {
    if (bytes.find("EVALSHA") != std::string_view::npos) proxy.cut();
    return std::string();
  };
  ASSERT_FALSE(create_redis_backend(through(proxy, server.uri()), settings(), options_, files));
  server.say({"DEL", "{t}m"});  // of whom dies a moment before: then there is no header
  const auto made_then = create_redis_backend(server.uri(), settings(), options_, files);
  ASSERT_TRUE(made_then) << made_then.error().message;
  EXPECT_TRUE(open_redis_backend(server.uri(), options_));
  ASSERT_TRUE(drop_redis_store(server.uri(), options_));
  EXPECT_EQ(server.say({"DBSIZE"}), "0");
}

TEST_F(RedisLife, WhatWasMadeForFarMoreOrFewerSaysSo) {
  const auto said = [](const std::string& expected) {
    RedisServer server;
    auto backend = create_redis_backend(server.uri({{"expect", expected}}), settings(), {}, {});
    EXPECT_TRUE(backend) << backend.error().message;
    for (uint64_t i = 0; i < 20; ++i) EXPECT_EQ(*add(**backend, i, "r"), std::vector<bool>{true});
    const auto figures = (*backend)->figures();
    EXPECT_TRUE(figures);
    std::map<std::string, std::string> by_name;
    for (const auto& [name, value] : figures->facts) EXPECT_TRUE(by_name.emplace(name, value).second) << name;
    return by_name;
  };
  const auto far_more = said("1000"), somewhat_more = said("320"), fewer = said("1");
  ASSERT_TRUE(far_more.contains("hint"));
  EXPECT_NE(far_more.at("hint").find("made for 1000 documents and has 20"), std::string::npos) << far_more.at("hint");
  EXPECT_FALSE(far_more.contains("warning"));
  EXPECT_FALSE(somewhat_more.contains("hint") || somewhat_more.contains("warning"));
  ASSERT_TRUE(fewer.contains("warning"));
  EXPECT_NE(fewer.at("warning").find("?expect=80"), std::string::npos) << fewer.at("warning");
  EXPECT_FALSE(fewer.contains("hint"));
}

TEST_F(RedisLife, AStoreWithoutFingerprintsSaysSo) {
  RedisServer server;
  const auto backend = create_redis_backend(server.uri(), {.num_fingerprints = 0}, {}, {});
  ASSERT_TRUE(backend) << backend.error().message;
  const auto figures = (*backend)->figures();
  ASSERT_TRUE(figures);
  for (const auto& [name, value] : figures->facts)
    if (name == "layout") {
      EXPECT_EQ(value.find("tables"), std::string::npos) << value;
    }
}

}  // namespace
}  // namespace neardup::remote
