// Replies that are not what the commands give: of a server that is none, or of what stands between.
#include <gtest/gtest.h>

#include <array>
#include <mutex>
#include <optional>
#include <random>

#include "neardup/remote/redis/exchange.h"
#include "neardup/remote/redis/redis_backend.h"
#include "tests/fuzz/redis_replies_fuzz.h"
#include "tests/hbase/proxy.h"
#include "tests/refused_memory.h"
#include "tests/unit/remote_redis/redis_hardship.h"

namespace neardup::remote {
namespace {

using redis::Replies;
using redis::ReplyType;
using redis::Shape;

Replies read_replies(std::string_view bytes) {
  Replies replies;
  redisReader* reader = redisReaderCreateWithFunctions(&redis::reply_functions);
  reader->privdata = &replies;
  EXPECT_EQ(redisReaderFeed(reader, bytes.data(), bytes.size()), REDIS_OK);
  void* value = nullptr;
  while (redisReaderGetReply(reader, &value) == REDIS_OK && value != nullptr) {
  }
  redisReaderFree(reader);
  return replies;
}

TEST(RedisReplies, AReplyFitsOneShape) {
  const Replies replies =
      read_replies("$1\r\na\r\n:5\r\n*2\r\n$1\r\na\r\n$-1\r\n*2\r\n$1\r\n0\r\n*1\r\n$1\r\na\r\n*0\r\n");
  ASSERT_EQ(replies.size(), 5u);
  const Shape shapes[] = {Shape::text(), Shape::integer(), Shape::texts(2), Shape::cursor(), Shape::texts(0)};
  for (size_t reply = 0; reply < 5; ++reply)
    for (size_t shape = 0; shape < 5; ++shape)
      EXPECT_EQ(replies.fits(reply, shapes[shape]), reply == shape) << reply << ' ' << shape;
  EXPECT_TRUE(replies.fits(2, Shape::pairs()));
  EXPECT_TRUE(replies.fits(2, Shape::texts()));
  EXPECT_FALSE(replies.fits(5, Shape{}));
}

TEST(RedisReplies, WhatAReplyHasNotIsNil) {
  const Replies replies = read_replies("*1\r\n$1\r\na\r\n$1\r\nb\r\n");
  EXPECT_EQ(replies.text(replies.element(0, 0)), "a");
  for (const auto& node : {replies.element(0, 1), replies.element(0, SIZE_MAX - 1), replies.element(1, 0), replies[2],
                           replies.element(7, 0)}) {
    EXPECT_EQ(node.type, ReplyType::kNil);
    EXPECT_EQ(replies.text(node), "");
  }
}

// It is read by C, through which nothing may throw.
TEST(RedisReplies, OneThatMemoryIsRefusedToIsAnError) {
  const std::string_view bytes = "*2\r\n$40\r\n0123456789012345678901234567890123456789\r\n:7\r\n+OK\r\n$-1\r\n";
  const int64_t pieces = refuse_each(1, [&](int64_t n) {
    Replies replies;
    redisReader* reader = redisReaderCreateWithFunctions(&redis::reply_functions);
    reader->privdata = &replies;
    EXPECT_EQ(redisReaderFeed(reader, bytes.data(), bytes.size()), REDIS_OK);
    std::optional<RefusedMemory> refused(n);
    void* value = nullptr;
    int read = REDIS_OK;
    while ((read = redisReaderGetReply(reader, &value)) == REDIS_OK && value != nullptr) {
    }
    const bool was_refused = refused->was_refused();
    refused.reset();
    EXPECT_EQ(read, was_refused ? REDIS_ERR : REDIS_OK) << n;
    EXPECT_EQ(reader->err, was_refused ? REDIS_ERR_OOM : 0) << n;
    redisReaderFree(reader);
    return was_refused;
  });
  EXPECT_GT(pieces, 3);
}

TEST(RedisReplies, NoBytesAreReadBeyondTheirEnd) {
  std::mt19937_64 random(16);
  const std::string_view whole =
      "*4\r\n$5\r\nabcde\r\n$-1\r\n:7\r\n*1\r\n$1\r\nx\r\n-ERR "
      "no\r\n+OK\r\n$0\r\n\r\n*2\r\n$1\r\n0\r\n*1\r\n$1\r\ny\r\n";
  ASSERT_EQ(read_replies(whole).size(), 5u);
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = static_cast<char>(random()) + std::string(whole);
    for (size_t changes = random() % 4; changes > 0; --changes)
      bytes[1 + random() % whole.size()] = "*$:+-\r\n0129"[random() % 11];
    bytes.resize(1 + random() % bytes.size());
    EXPECT_EQ(fuzz_redis_replies(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()), 0);
  }
}

/// Answers one command in another's place; all others go on to the server.
class LyingProxy : public Proxy {
 public:
  explicit LyingProxy(uint16_t to) : Proxy(to) {
    answer = [this](std::string_view request) { return lie_to(request); };
  }
  void lie(std::string command, std::string reply) {
    const std::lock_guard lock(lie_mutex_);
    command_ = std::move(command), reply_ = std::move(reply), num_lies_ = 0;
  }
  size_t num_lies() const {
    const std::lock_guard lock(lie_mutex_);
    return num_lies_;
  }

 private:
  std::string lie_to(std::string_view request) {
    const std::lock_guard lock(lie_mutex_);
    std::string answers;
    bool lies = false;
    while (!request.empty()) {
      const size_t num_words = std::stoul(std::string(take_line(request).substr(1)));
      for (size_t word = 0; word < num_words; ++word) {
        const size_t size = std::stoul(std::string(take_line(request).substr(1)));
        lies = lies || (word == 0 && !command_.empty() && request.substr(0, size) == command_);
        request.remove_prefix(std::min(request.size(), size + 2));
      }
      answers += reply_;
    }
    num_lies_ += lies ? 1 : 0;
    return lies ? answers : std::string();
  }
  static std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find("\r\n"));
    text.remove_prefix(line.size() + 2);
    return line;
  }

  mutable std::mutex lie_mutex_;
  std::string command_, reply_;
  size_t num_lies_ = 0;
};

class RedisLies : public RedisHardship {
 protected:
  static std::vector<std::string> lies() {
    std::string many = "*600\r\n";
    for (int i = 0; i < 600; ++i) many += "$1\r\nx\r\n";
    return {"*0\r\n", "*-1\r\n", "$-1\r\n", ":1\r\n", "*1\r\n*1\r\n$1\r\nx\r\n", "*1\r\n:-5\r\n", "+OK\r\n", many};
  }
};

TEST_F(RedisLies, WhateverTheServerAnswersIsAnError) {
  RedisServer server;
  options_.connect_timeout = std::chrono::milliseconds(500);
  LyingProxy proxy(server.port());
  RemoteUri uri = server.uri({{"expect", "300"}});
  uri.port = proxy.port();
  const auto backend = made(server.uri({{"expect", "300"}}));
  for (uint64_t i = 0; i < 300; ++i) ASSERT_EQ(*add(*backend, i, "record"), std::vector<bool>{true});
  for (const std::string command : {"MGET", "INCRBY", "HGETALL", "HMGET", "RANDOMKEY", "EVALSHA", "GET"}) {
    for (const std::string& lie : lies()) {
      const auto client = open_redis_backend(uri, options_);
      ASSERT_TRUE(client) << client.error().message;
      const auto before = look(**client, 1000);
      ASSERT_TRUE(before) << before.error().message;
      proxy.lie(command, lie);
      const auto opened = open_redis_backend(uri, options_);
      const auto found = look(opened ? **opened : **client, 5);  // over a new connection, where it was opened
      const auto read = (*client)->read(std::vector<uint64_t>{0, 5, 7});
      const auto numbers = (*client)->numbers_from(0, 1000);
      const auto figures = (*client)->figures();
      const auto done = add(**client, *before, 1000, "record");
      EXPECT_GT(proxy.num_lies(), 0u) << command;
      const bool is_fine[] = {opened.has_value(),  found.has_value(),   read.has_value(),
                              numbers.has_value(), figures.has_value(), done.has_value()};
      if (command == "MGET" || command == "INCRBY") {
        EXPECT_GT(std::ranges::count(is_fine, false), 0) << command << lie;
      }
      if (found) {
        EXPECT_EQ(found->by_key[0].size(), 1u);
      }
      if (numbers) {
        EXPECT_GE(numbers->size(), 300u);
      }
      proxy.lie("", "");
    }
  }
}

TEST_F(RedisLies, AStoreWhoseDropWasAnsweredWithLiesIsDroppedByTheNextOne) {
  RedisServer server;
  options_.connect_timeout = std::chrono::milliseconds(500);
  LyingProxy proxy(server.port());
  ASSERT_EQ(*add(*made(server.uri()), 1, "record"), std::vector<bool>{true});
  RemoteUri uri = server.uri();
  uri.port = proxy.port();
  for (const std::string& lie : lies()) {
    proxy.lie("SCAN", lie);
    EXPECT_FALSE(drop_redis_store(uri, options_)) << lie;
    EXPECT_EQ(proxy.num_lies(), 1u);
  }
  proxy.lie("", "");
  EXPECT_TRUE(drop_redis_store(uri, options_));
  EXPECT_EQ(server.say({"DBSIZE"}), "0");
}

}  // namespace
}  // namespace neardup::remote
