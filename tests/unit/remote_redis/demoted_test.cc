// A master that becomes a replica, gets an older copy from there, and becomes a master again: one process all the time.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "neardup/remote/redis/redis_backend.h"
#include "tests/unit/remote_redis/redis_hardship.h"

namespace neardup::remote {
namespace {

class RedisDemoted : public RedisHardship {
 protected:
  RedisServer server_{options()}, other_{options()};

  static RedisServer::Words options() { return {"--repl-diskless-sync-delay", "0", "--enable-debug-command", "yes"}; }
  static void copy(const RedisServer& from, const RedisServer& into) {
    ASSERT_EQ(into.say({"REPLICAOF", "127.0.0.1", std::to_string(from.port())}), "OK");
    const auto is_there = [&] { return into.say({"INFO", "replication"}).find("link_status:up") != std::string::npos; };
    ASSERT_TRUE(comes_true(is_there)) << into.say({"INFO", "replication"});
  }
  static void promote(const RedisServer& server) { ASSERT_EQ(server.say({"REPLICAOF", "NO", "ONE"}), "OK"); }
};

// The list of the key's own, which the client knew, is there no more, and who managed the servers ended all
// connections.
TEST_F(RedisDemoted, WhoComesOverANewConnectionKnowsNothingOfBefore) {
  const auto backend = made(server_.uri());
  const uint64_t common = 77;
  add_many(*backend, common, 0, 500);
  copy(server_, other_);
  promote(other_);
  add_many(*backend, common, 1000, 15'000);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(count(*backend, common), 15'500u);  // the first look splits the list
  const auto before = look(*backend, 1);
  ASSERT_TRUE(before);
  copy(other_, server_);
  promote(server_);
  server_.say({"CLIENT", "KILL", "TYPE", "normal"});
  EXPECT_EQ(count(*backend, common), 500u);
  EXPECT_EQ(*add(*backend, *before, 1, "r"), std::vector<bool>{false});
  add_many(*backend, common, 30'000, 100);
  EXPECT_EQ(count(*backend, common), 600u);
  const auto after = backend->reserve_numbers(1);
  ASSERT_TRUE(after);
  EXPECT_GT(*after, before->first_reserved);
  const auto opened = open_redis_backend(server_.uri(), {});
  ASSERT_TRUE(opened);
  EXPECT_EQ(count(**opened, common), 600u);
}

// Where nobody ended them, the first refusal does: a name of a host may stand for another server by then.
TEST_F(RedisDemoted, AConnectionToAReplicaIsUsedNoMore) {
  const auto backend = made(server_.uri());
  ASSERT_EQ(*add(*backend, 1, "r"), std::vector<bool>{true});
  copy(server_, other_);
  promote(other_);
  const auto before = look(*backend, 2);
  ASSERT_TRUE(before);
  copy(other_, server_);
  const auto refused = look(*backend, 2);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("READONLY"), std::string::npos) << refused.error().message;
  const auto read = backend->look_up({{}, {}, 0, true});
  ASSERT_TRUE(read) << "it may be read: " << read.error().message;
  for (int tries = 0; tries < 3; ++tries) {
    const Change change;
    const auto written = backend->commit(*read->seen, {&change, 1});
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().message.find("READONLY"), std::string::npos) << written.error().message;
  }
  promote(server_);
  const auto after = look(*backend, 2);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_GT(after->first_reserved, before->first_reserved);
  EXPECT_EQ(*add(*backend, *before, 2, "r"), std::vector<bool>{false});
  EXPECT_EQ(*add(*backend, *after, 2, "r"), std::vector<bool>{true});
  expect_there(*backend, 2, "r");
}

// It gives a master another replication id.
TEST_F(RedisDemoted, TheFirstReplicaOfAMasterIsNoLoss) {
  const auto backend = made(server_.uri());
  auto same = open_redis_backend(server_.uri(), options_);
  ASSERT_TRUE(same);
  for (uint64_t i = 0; i < 10; ++i) ASSERT_EQ(*add(*backend, i, "r"), std::vector<bool>{true});
  copy(server_, other_);
  for (uint64_t i = 10; i < 20; ++i) ASSERT_EQ(*add(**same, i, "r"), std::vector<bool>{true}) << "it met no other run";
  for (uint64_t i = 20; i < 30; ++i) ASSERT_EQ(*add(*backend, i, "r"), std::vector<bool>{true});
  server_.say({"CLIENT", "KILL", "TYPE", "normal"});
  for (uint64_t i = 30; i < 40; ++i) ASSERT_EQ(*add(**same, i, "r"), std::vector<bool>{true});
  for (uint64_t i = 40; i < 50; ++i) ASSERT_EQ(*add(*backend, i, "r"), std::vector<bool>{true});
  server_.say({"CLIENT", "KILL", "TYPE", "normal"});
  for (uint64_t i = 0; i < 50; ++i) expect_there(i % 2 == 0 ? *backend : **same, i, "r");
}

// Of threads that are under way the ones hear of it later than the others, over connections of before.
TEST_F(RedisDemoted, ManyThreadsGoOnThroughManyRunsOfOneServer) {
  const auto backend = made(server_.uri());
  std::atomic<bool> ends = false;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (uint64_t i = t << 32; !ends; ++i) {
        const auto found = look(*backend, i);
        ASSERT_TRUE(found) << found.error().message;
      }
    });
  for (uint64_t run = 0; run < 40; ++run) {
    EXPECT_EQ(server_.say({"DEBUG", "CHANGE-REPL-ID"}), "OK");
    const auto other = open_redis_backend(server_.uri(), options_);
    EXPECT_TRUE(other && add(**other, run, "r") == std::vector<bool>{true});
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
  server_.say({"CLIENT", "KILL", "TYPE", "normal"});
  for (uint64_t run = 0; run < 40; ++run) expect_there(*backend, run, "r");
}

// As by a program that names runs in another way.
TEST_F(RedisDemoted, ARunThatTheServerDoesNotNameIsMendedOverOneConnection) {
  const auto backend = made(server_.uri());
  ASSERT_EQ(*add(*backend, 1, "r"), std::vector<bool>{true});
  const std::string before = server_.say({"GET", "{t}i"}), run = before.substr(0, 33);
  ASSERT_EQ(server_.say({"SET", "{t}i", before.substr(0, 17) + "00000000000000ab 0"}), "OK");
  const auto num_connections = [&] {
    const std::string stats = server_.say({"INFO", "stats"}), name = "total_connections_received:";
    return std::stoi(stats.substr(stats.find(name) + name.size()));
  };
  const int num_before = num_connections();
  for (uint64_t i = 2; i < 50; ++i) EXPECT_EQ(*add(*backend, i, "r"), std::vector<bool>{true});
  EXPECT_LE(num_connections() - num_before, 2) << "one of them asked for this";
  EXPECT_EQ(server_.say({"GET", "{t}i"}).substr(0, 33), run);
  for (uint64_t i = 1; i < 50; ++i) expect_there(*backend, i, "r");
}

}  // namespace
}  // namespace neardup::remote
