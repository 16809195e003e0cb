// A server that is started again, with all that it had or with less.
#include <gtest/gtest.h>

#include "neardup/remote/redis/redis_backend.h"
#include "tests/unit/remote_redis/redis_hardship.h"

namespace neardup::remote {
namespace {

class RedisRestart : public RedisHardship {
 protected:
  static void restart(RedisServer& server) {
    server.stop();
    server.start();
  }
  static std::string saved(const RedisServer& server) { return server.say({"SAVE"}); }
};

// The list of the key's own, which the client knew, was lost with the server.
TEST_F(RedisRestart, OneThatComesBackOlderLosesNothingThatComesThen) {
  RedisServer server;
  const auto backend = made(server.uri());
  const uint64_t common = 77;
  add_many(*backend, common, 0, 500);
  ASSERT_EQ(saved(server), "OK");
  add_many(*backend, common, 1000, 15'000);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(count(*backend, common), 15'500u);  // the first look splits the list
  add_many(*backend, common, 20'000, 10);
  restart(server);
  EXPECT_EQ(count(*backend, common), 500u);
  add_many(*backend, common, 30'000, 100);
  EXPECT_EQ(count(*backend, common), 600u);
  const auto other = open_redis_backend(server.uri(), {});
  ASSERT_TRUE(other);
  EXPECT_EQ(count(**other, common), 600u);
}

TEST_F(RedisRestart, WhatWasSeenBeforeIsNotCommitted) {
  RedisServer server;
  const auto backend = made(server.uri());
  ASSERT_EQ(saved(server), "OK");
  const auto found = look(*backend, 1);
  ASSERT_TRUE(found);
  restart(server);
  ASSERT_TRUE(backend->look_up({}));  // over a new connection
  const auto done = add(*backend, *found, 1, "r");
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(*done, std::vector<bool>{false});
  EXPECT_EQ(*add(*backend, 1, "r"), std::vector<bool>{true});
  expect_there(*backend, 1, "r");
}

TEST_F(RedisRestart, NumbersThatWereGivenBeforeAreNotGivenAgain) {
  RedisServer server;
  const auto backend = made(server.uri());
  ASSERT_EQ(saved(server), "OK");
  constexpr uint64_t kCount = 1'000'000;
  const auto before = backend->reserve_numbers(kCount);
  ASSERT_TRUE(before);
  for (int i = 0; i < 2; ++i) {
    restart(server);
    const auto after = backend->reserve_numbers(1);
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_GE(*after, *before + kCount);
    EXPECT_EQ(*add(*backend, static_cast<uint64_t>(i), "r"), std::vector<bool>{true});
    expect_there(*backend, static_cast<uint64_t>(i), "r");
  }
}

// Others knew of fewer, and came first.
TEST_F(RedisRestart, AClientThatKnowsNumbersWhichAreGivenTwiceIsToldToOpenTheStoreAgain) {
  RedisServer server;
  const auto backend = made(server.uri());
  const auto other = open_redis_backend(server.uri(), options_);
  ASSERT_TRUE(other && (*other)->look_up({}));
  ASSERT_EQ(saved(server), "OK");
  ASSERT_TRUE(backend->reserve_numbers(1'000'000));
  restart(server);
  ASSERT_EQ(*add(**other, 1, "r"), std::vector<bool>{true});
  const auto found = look(*backend, 2);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::kIo);
  EXPECT_NE(found.error().message.find("open the store again"), std::string::npos) << found.error().message;
  const auto again = open_redis_backend(server.uri(), options_);
  ASSERT_TRUE(again);
  ASSERT_EQ(*add(**again, 2, "r"), std::vector<bool>{true});
  expect_there(**other, 2, "r");
}

TEST_F(RedisRestart, ClientsThatWereThereGoOnWhoeverComesFirst) {
  RedisServer server({"--appendonly", "yes", "--appendfsync", "always"});
  std::vector<std::unique_ptr<Backend>> clients;
  clients.push_back(made(server.uri()));
  for (int i = 0; i < 3; ++i) clients.push_back(std::move(*open_redis_backend(server.uri(), options_)));
  uint64_t added = 0;
  for (int round = 0; round < 3; ++round) {
    for (const auto& client : clients) {
      ASSERT_EQ(*add(*client, added, "r" + std::to_string(added)), std::vector<bool>{true});
      ++added;
    }
    restart(server);
  }
  for (uint64_t i = 0; i < added; ++i) expect_there(*clients[i % 4], i, "r" + std::to_string(i));
}

TEST_F(RedisRestart, FiguresAreToldAtOnce) {
  RedisServer server;
  const auto backend = made(server.uri());
  ASSERT_EQ(*add(*backend, 1, "r"), std::vector<bool>{true});
  ASSERT_EQ(saved(server), "OK");
  restart(server);
  const auto figures = backend->figures();
  ASSERT_TRUE(figures) << figures.error().message;
  EXPECT_EQ(figures->documents, 1u);
}

// A user who may not ask which run it is commits as before; one who may not write finds.
TEST_F(RedisRestart, WhoMayNotAskOrWriteGoesOn) {
  RedisServer server;
  const auto backend = made(server.uri());
  ASSERT_EQ(*add(*backend, 1, "r"), std::vector<bool>{true});
  ASSERT_EQ(saved(server), "OK");
  restart(server);
  server.say({"ACL", "SETUSER", "blind", "on", ">b", "~{t}*", "+@read", "+@write", "+@scripting"});
  server.say({"ACL", "SETUSER", "reader", "on", ">b", "~{t}*", "+@read", "+info"});
  RemoteUri uri = server.uri();
  uri.user = "reader", uri.password = "b";
  const auto reader = open_redis_backend(uri, options_);
  ASSERT_TRUE(reader) << reader.error().message;
  const uint64_t key = mix64(1);
  EXPECT_EQ(count(**reader, key), 1u);
  const auto found = (*reader)->look_up({{&key, 1}, {}, 0, true});
  ASSERT_TRUE(found);
  Change change;
  const auto refused = (*reader)->commit(*found->seen, {&change, 1});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("NOPERM"), std::string::npos) << refused.error().message;
  uri.user = "blind";
  const auto blind = open_redis_backend(uri, options_);
  ASSERT_TRUE(blind) << blind.error().message;
  EXPECT_EQ(*add(**blind, 2, "r"), std::vector<bool>{true});
  expect_there(*backend, 2, "r");
}

}  // namespace
}  // namespace neardup::remote
