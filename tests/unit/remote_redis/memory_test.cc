// The memory of a server: lists and groups take what their bytes need, however they grew.
#include <gtest/gtest.h>

#include <algorithm>

#include "neardup/base/hash.h"
#include "neardup/remote/open_remote.h"
#include "neardup/remote/redis/redis_backend.h"
#include "neardup/remote/redis/server_string.h"
#include "tests/unit/remote_redis/redis_server.h"

namespace neardup::remote {
namespace {

constexpr uint64_t kShortIdle = 64;  // what strings of less than 32 bytes may have beyond them

class RedisMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "there is no /usr/bin/redis-server here (Debian: redis-server)";
  }
  static uint64_t usage(const RedisServer& server, std::string_view key) {
    return std::stoull(server.say({"MEMORY", "USAGE", key, "SAMPLES", "0"}));
  }
};

TEST_F(RedisMemory, AppendTakesRoomForTwiceAsMuchJustWhereItIsSaidTo) {
  const RedisServer server;
  const auto exact = [&](const std::string& text) {
    EXPECT_EQ(server.say({"SET", "b", text}), "OK");
    EXPECT_EQ(server.say({"BITOP", "OR", "b", "b"}), std::to_string(text.size()));
    return usage(server, "b");
  };
  for (const size_t piece : {3U, 9U, 64U, 200U}) {
    size_t trimmed = 0, appended = 0;
    std::string text;
    while (text.size() < 2600) {
      const std::string more(piece, 'y');
      ASSERT_EQ(server.say({"APPEND", "a", more}), std::to_string(text.size() + piece));
      if (redis::append_doubles(text.size(), text.size() + piece)) {
        ASSERT_EQ(server.say({"BITOP", "OR", "a", "a"}), std::to_string(text.size() + piece));
        ++trimmed;
      }
      ++appended;
      text += more;
      EXPECT_LE(usage(server, "a"), exact(text) + (text.size() < 32 ? kShortIdle : 0)) << text.size() << " bytes";
    }
    EXPECT_EQ(server.say({"DEL", "a"}), "1");
    EXPECT_GT(trimmed, 4U);
    if (piece <= 9) {
      EXPECT_LT(trimmed, appended / 5);
    }
  }
}

// Of a store that many small calls made: those that looked at the lists, and those that only put.
TEST_F(RedisMemory, NoListTakesMoreThanItsBytesNeed) {
  const RedisServer server;
  RemoteOptions options;
  auto backend = create_redis_backend(server.uri({{"expect", "1000"}}), {.num_fingerprints = 1}, options, {});
  ASSERT_TRUE(backend) << backend.error().message;
  uint64_t random = 0;
  for (int call = 0; call < 60; ++call) {
    std::vector<uint64_t> keys, fingerprints;
    const uint64_t count = 1 + mix64(++random) % 90;
    for (uint64_t i = 0; i < count; ++i) {
      keys.push_back(mix64(++random));
      fingerprints.push_back(mix64(random + 1'000'000) >> 16 | mix64(random) % 8 << 60);
    }
    const bool looks = call % 2 == 0;
    const auto found = (*backend)->look_up(
        {looks ? std::span<const uint64_t>(keys) : std::span<const uint64_t>(),
         looks ? std::span<const uint64_t>(fingerprints) : std::span<const uint64_t>(), count, true});
    ASSERT_TRUE(found) << found.error().message;
    std::vector<StoredDocument> documents;
    std::vector<Change> changes(count);
    for (uint64_t i = 0; i < count; ++i)
      documents.push_back({found->first_reserved + i, "a record of some bytes", std::span(keys).subspan(i, 1),
                           std::span(fingerprints).subspan(i, 1)});
    for (uint64_t i = 0; i < count; ++i) {
      if (looks) changes[i].keys = documents[i].keys, changes[i].fingerprints = documents[i].fingerprints;
      changes[i].added = std::span(documents).subspan(i, 1);
    }
    const auto done = (*backend)->commit(*found->seen, changes);
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_EQ(std::ranges::count(*done, true), static_cast<ptrdiff_t>(count));
  }
  redis::ConnectionPool pool(server.uri(), {});
  redis::Request request;
  request.command({"KEYS", "{t}[tkr]*"});
  const auto keys = pool.ask(request);
  ASSERT_TRUE(keys);
  size_t num_long = 0;
  for (size_t i = 0; i < (*keys)[0].size; ++i) {
    const std::string key(keys->text(keys->element(0, i)));
    const std::string text = server.say({"GET", key});
    num_long += text.size() > 100 ? 1 : 0;
    const uint64_t before = usage(server, key);
    ASSERT_EQ(server.say({"SET", key, text}), "OK");
    ASSERT_EQ(server.say({"BITOP", "OR", key, key}), std::to_string(text.size()));
    EXPECT_LE(before, usage(server, key) + (text.size() < 32 ? kShortIdle : 0)) << text.size() << " bytes";
  }
  EXPECT_GT(num_long, 10u);
}

}  // namespace
}  // namespace neardup::remote
