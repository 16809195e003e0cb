// A store on Redis where the server, its memory, its rights or its keys are not as one would wish.
#include <gtest/gtest.h>

#include "neardup/base/hash.h"
#include "neardup/remote/redis/packed_list.h"
#include "neardup/remote/redis/redis_backend.h"
#include "neardup/remote/redis/redis_store.h"
#include "tests/unit/remote_redis/redis_hardship.h"

namespace neardup::remote {
namespace {

TEST_F(RedisHardship, WhereItsMemoryIsFullNothingIsHalfDone) {
  RedisServer server({"--maxmemory", "24mb"});
  const auto backend = made(server.uri({{"expect", "1000"}}));
  const std::string record(20'000, 'x');
  uint64_t added = 0;
  Code code{};
  for (; added < 100'000; ++added) {
    std::string own = record;
    for (char& c : own) c = static_cast<char>(mix64(added * 31 + static_cast<uint64_t>(&c - own.data())));
    const auto done = add(*backend, added, own);
    if (done) continue;
    code = done.error().code;
    EXPECT_NE(done.error().message.find("maxmemory"), std::string::npos) << done.error().message;
    break;
  }
  EXPECT_EQ(code, Code::kMemory);
  ASSERT_GT(added, 100u);
  EXPECT_EQ(server.say({"CONFIG", "SET", "maxmemory", "0"}), "OK");
  const uint64_t key = mix64(added), fingerprint = mix64(added + 1'000'000);
  const auto found = backend->look_up({{&key, 1}, {&fingerprint, 1}, 0, false});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->by_key[0].size() + found->by_fingerprint[0].size(), 0u);
  EXPECT_EQ(backend->numbers_from(0, 1'000'000)->size(), added);
  ASSERT_TRUE(add(*backend, added, "again"));
  expect_there(*backend, added, "again");
}

// What its error says as the cure.
TEST_F(RedisHardship, WhereItsMemoryIsFullErasingAndCompactingGiveSomeBack) {
  RedisServer server;
  const auto backend = made(server.uri({{"expect", "1000"}}));
  constexpr uint64_t kCount = 300;
  for (uint64_t i = 0; i < kCount; ++i) {
    std::string own(2000, 'x');
    for (char& c : own) c = static_cast<char>(mix64(i * 31 + static_cast<uint64_t>(&c - own.data())));
    ASSERT_EQ(*add(*backend, i, own), std::vector<bool>{true});
  }
  EXPECT_EQ(server.say({"CONFIG", "SET", "maxmemory", "1"}), "OK");
  const auto full = look(*backend, kCount);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, Code::kMemory);
  for (uint64_t i = 0; i < kCount; ++i) {
    const uint64_t key = mix64(i), fingerprint = mix64(i + 1'000'000);
    const auto found = backend->look_up({{&key, 1}, {&fingerprint, 1}, 0, true});
    ASSERT_TRUE(found) << found.error().message;
    const StoredDocument document{found->by_fingerprint[0][0], {}, {&key, 1}, {&fingerprint, 1}};
    Change change;
    change.keys = {&key, 1}, change.erased = {&document, 1};
    change.documents = -1, change.erased_documents = 1;
    const auto erased = backend->commit(*found->seen, {&change, 1});
    ASSERT_TRUE(erased) << erased.error().message;
    ASSERT_EQ(*erased, std::vector<bool>{true});
  }
  const Status compacted = backend->compact();
  ASSERT_TRUE(compacted) << compacted.error().message;
  EXPECT_EQ(server.say({"CONFIG", "SET", "maxmemory", "0"}), "OK");
  EXPECT_TRUE(backend->numbers_from(0, 1000)->empty());
  EXPECT_LT(std::stoul(server.say({"DBSIZE"})), 10u);
}

// Of a call that is sent in several pieces the first ones count.
TEST_F(RedisHardship, WhereMemoryEndsWithinACallTheRestIsToldAndCanBeSentAgain) {
  RedisServer server({"--maxmemory", "8mb"});
  const auto backend = made(server.uri({{"expect", "1000"}}));
  constexpr uint64_t kCount = 3000;
  const auto found = backend->look_up({{}, {}, kCount, true});
  ASSERT_TRUE(found) << found.error().message;
  std::vector<std::string> records;
  std::vector<uint64_t> keys;
  std::vector<StoredDocument> documents;
  std::vector<Change> changes(kCount);
  records.reserve(kCount), keys.reserve(kCount), documents.reserve(kCount);
  for (uint64_t i = 0; i < kCount; ++i) {
    std::string& own = records.emplace_back(4000, 'x');
    for (char& c : own) c = static_cast<char>(mix64(i * 8191 + static_cast<uint64_t>(&c - own.data())));
    keys.push_back(mix64(i));
    documents.push_back({found->first_reserved + i, own, {&keys.back(), 1}, {}});
    changes[i].added = {&documents.back(), 1};
    changes[i].documents = 1;
  }
  const auto happened = backend->commit(*found->seen, changes);
  ASSERT_TRUE(happened) << happened.error().message;
  const auto num_stored = static_cast<uint64_t>(std::ranges::count(*happened, true));
  EXPECT_GT(num_stored, 0u);
  EXPECT_LT(num_stored, kCount);
  EXPECT_EQ(backend->numbers_from(0, kCount)->size(), num_stored);
  const std::vector<Change> rest(changes.begin() + static_cast<ptrdiff_t>(num_stored), changes.end());
  const auto refused = backend->commit(*found->seen, rest);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kMemory);
  EXPECT_EQ(server.say({"CONFIG", "SET", "maxmemory", "0"}), "OK");
  EXPECT_EQ(*backend->commit(*found->seen, rest), std::vector<bool>(rest.size(), true));
  EXPECT_EQ(backend->numbers_from(0, kCount)->size(), kCount);
  EXPECT_EQ(backend->read(std::vector<uint64_t>{found->first_reserved + kCount - 1})->at(0), records.back());
}

TEST_F(RedisHardship, AServerThatComesBackHasWhatItHad) {
  RedisServer server({"--appendonly", "yes", "--appendfsync", "always"});
  const auto backend = made(server.uri());
  for (uint64_t i = 0; i < 20; ++i) ASSERT_TRUE(add(*backend, i, "record " + std::to_string(i)));
  const auto before = look(*backend, 100);
  ASSERT_TRUE(before);
  server.stop();
  const auto lost = add(*backend, *before, 100, "lost");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::kIo);
  EXPECT_NE(lost.error().message.find("try again"), std::string::npos) << lost.error().message;
  server.start();
  for (uint64_t i = 0; i < 20; ++i) expect_there(*backend, i, "record " + std::to_string(i));
  ASSERT_EQ(*add(*backend, 100, "then"), std::vector<bool>{true});  // whose script the server has to be given again
  expect_there(*backend, 100, "then");
  const auto figures = backend->figures();
  ASSERT_TRUE(figures);
  for (const auto& [name, value] : figures->facts)
    if (name == "persistence") {
      EXPECT_EQ(value, "append-only file, synced with every change; no snapshots");
    }
}

TEST_F(RedisHardship, AServerThatIsDownIsToldSoInTime) {
  RedisServer server;
  const RemoteUri uri = server.uri();
  const auto backend = made(uri);
  server.stop();
  const auto found = look(*backend, 1);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::kIo);
  EXPECT_NE(found.error().message.find("redis://127.0.0.1:"), std::string::npos);
}

TEST_F(RedisHardship, ReadsSurviveLostConnectionsAndForgottenScripts) {
  RedisServer server;
  const auto backend = made(server.uri());
  for (uint64_t i = 0; i < 5; ++i) {
    ASSERT_TRUE(add(*backend, i, "r"));
    server.say({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    const auto found = look(*backend, i);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->by_key[0].size(), 1u);
    EXPECT_EQ(server.say({"SCRIPT", "FLUSH"}), "OK");
  }
}

TEST_F(RedisHardship, AServerThatDoesNotAnswerIsWaitedForNoLongerThanAsked) {
  RedisServer server;
  options_.call_timeout = std::chrono::milliseconds(2000);  // enough for all calls before, on any machine
  const auto backend = made(server.uri());
  const auto found = look(*backend, 1);
  ASSERT_TRUE(found);
  server.say({"CLIENT", "PAUSE", "3600000", "WRITE"});
  const auto done = add(*backend, *found, 1, "r");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kIo);
  EXPECT_NE(done.error().message.find("no answer within 2000 ms"), std::string::npos) << done.error().message;
}

TEST_F(RedisHardship, PasswordsAndRightsThatAreMissingAreNamed) {
  RedisServer server({"--requirepass", "secret"});
  const auto refused = [&](const RemoteUri& uri, std::string_view word) {
    const auto backend = create_redis_backend(uri, settings(), options_, {});
    ASSERT_FALSE(backend);
    EXPECT_EQ(backend.error().code, Code::kIo);
    EXPECT_NE(backend.error().message.find(word), std::string::npos) << backend.error().message;
    EXPECT_EQ(backend.error().message.find("wrong1"), std::string::npos);
  };
  RemoteUri uri = server.uri();
  refused(uri, "NOAUTH");
  uri.password = "wrong1";
  refused(uri, "WRONGPASS");
  uri.password = "secret";
  const auto backend = made(uri);
  ASSERT_NE(backend, nullptr);
  redis::ConnectionPool pool(uri, options_);
  redis::Request request;
  request.command({"ACL", "SETUSER", "reader", "on", ">r", "~{t}*", "+get", "+mget", "+hgetall", "+exists", "+incrby"});
  ASSERT_TRUE(pool.ask(request));
  uri.user = "reader", uri.password = "r";
  auto reader = open_redis_backend(uri, options_);  // may not ask for settings or facts
  ASSERT_TRUE(reader) << reader.error().message;
  const auto done = add(**reader, 1, "r");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kIo);
  EXPECT_NE(done.error().message.find("NOPERM"), std::string::npos) << done.error().message;
}

TEST_F(RedisHardship, APasswordThatTheServerRepeatsIsNotShown) {
  RedisServer server({"--rename-command", "AUTH", ""});
  RemoteUri uri = server.uri();
  uri.user = "crawler", uri.password = "TopSecret9";
  const auto refused = create_redis_backend(uri, settings(), options_, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("unknown command"), std::string::npos) << refused.error().message;
  EXPECT_EQ(refused.error().message.find("Secret"), std::string::npos) << refused.error().message;
}

// Over connections of the parent each would get the other's answers.
TEST_F(RedisHardship, AChildOfAForkAndItsParentGoOnSideBySide) {
  RedisServer server;
  const auto backend = made(server.uri());
  constexpr uint64_t kEach = 300;
  ASSERT_TRUE(add(*backend, 0, "before"));
  const auto add_all = [&](uint64_t first) {
    for (uint64_t i = first; i < first + kEach; ++i) {
      const auto done = add(*backend, i, "record " + std::to_string(i));
      if (!done) return false;
      if (!done->at(0)) --i;  // the other one came between
    }
    return true;
  };
  const pid_t child = fork();
  if (child == 0) std::_Exit(add_all(1'000) ? 0 : 1);
  EXPECT_TRUE(add_all(5'000));
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  for (const uint64_t first : {1'000, 5'000})
    for (uint64_t i = first; i < first + kEach; ++i) expect_there(*backend, i, "record " + std::to_string(i));
}

TEST_F(RedisHardship, AServerThatEvictsIsRefused) {
  RedisServer server({"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"});
  const auto refused = create_redis_backend(server.uri(), settings(), {}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnsupported);
  EXPECT_NE(refused.error().message.find("noeviction"), std::string::npos);
  EXPECT_TRUE(create_redis_backend(server.uri({{"allow-eviction", "yes"}}), settings(), {}, {}));
  EXPECT_FALSE(open_redis_backend(server.uri(), {}));
}

// Every key of a store in turn becomes what no store wrote.
TEST_F(RedisHardship, ForeignValuesAreToldAndLeaveNothingHalfDone) {
  RedisServer server;
  const auto backend = made(server.uri());
  const uint64_t more[] = {5, 6};
  ASSERT_TRUE(add(*backend, 1, "record one", more));
  redis::ConnectionPool pool(server.uri(), {});
  redis::Request request;
  request.command({"KEYS", "{t}[tkr]*"});
  const auto keys = pool.ask(request);
  ASSERT_TRUE(keys);
  ASSERT_EQ((*keys)[0].size, 8u);  // four tables, three keys, a group
  uint64_t num_there = 1;
  for (size_t i = 0; i < 8; ++i) {
    const std::string key(keys->text(keys->element(0, i)));
    const auto before = look(*backend, 1);
    ASSERT_TRUE(before);
    server.say({"RENAME", key, "{t}kept"});
    for (const bool is_list : {true, false}) {
      if (is_list)
        server.say({"RPUSH", key, "x"});
      else
        server.say({"SET", key, "x"});
      const auto found = look(*backend, 1);
      const auto read = backend->read(std::vector<uint64_t>{0});
      const auto done = add(*backend, *before, 1, "record two", more);
      const Code codes[] = {found ? Code::kCorruption : found.error().code,
                            read ? Code::kCorruption : read.error().code, done ? Code::kCorruption : done.error().code};
      for (const Code code : codes) EXPECT_EQ(code, Code::kCorruption) << i << is_list;
      if (is_list) {
        EXPECT_FALSE(done && done->at(0)) << key;
      }
      if (done && done->at(0)) ++num_there;  // it stands on no such key
      server.say({"DEL", key});
    }
    server.say({"RENAME", "{t}kept", key});
    const auto again = look(*backend, 1);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->by_key[0].size(), num_there) << key;
    EXPECT_EQ(again->by_fingerprint[0].size(), num_there) << key;
  }
  EXPECT_LE(num_there, 4u);  // both more keys, the group
}

// Lists hold the lower part of numbers; those of the next page are told apart.
TEST_F(RedisHardship, NumbersBeyondThePageAreFound) {
  RedisServer server;
  const auto backend = made(server.uri({{"expect", "300"}}));
  for (const uint64_t page : {0, 1, 2, 40000, 1}) {
    server.say({"SET", "{t}n", std::to_string((page + 1) * redis::kPageSize - 20 + (page == 1 ? 300 : 0))});
    const uint64_t first = page * 1000 + mix64(page + static_cast<uint64_t>(time(nullptr))) % 7 * 100;
    for (uint64_t i = first; i < first + 60; ++i) {
      const uint64_t common = 77;
      const auto found = look(*backend, i);
      ASSERT_TRUE(found) << found.error().message;
      if (!found->by_key[0].empty()) continue;
      ASSERT_EQ(*add(*backend, *found, i, "r" + std::to_string(found->first_reserved), {&common, 1}),
                std::vector<bool>{true});
      expect_there(*backend, i, "r" + std::to_string(found->first_reserved));
    }
  }
  ASSERT_TRUE(backend->compact());
  const uint64_t common = 77;
  const auto all = backend->look_up({{&common, 1}, {}, 0, false});
  ASSERT_TRUE(all);
  ASSERT_GT(all->by_key[0].size(), 200u);
  const auto records = backend->read(all->by_key[0]);
  ASSERT_TRUE(records);
  for (size_t i = 0; i < records->size(); ++i) EXPECT_EQ(records->at(i), "r" + std::to_string(all->by_key[0][i]));
}

// A long text has more passages than 16 bits count, each in a list of its own.
TEST_F(RedisHardship, AChangeOfVeryManyListsHappensWholly) {
  RedisServer server;
  const auto backend = made(server.uri({{"expect", "100000000"}}));
  std::vector<uint64_t> passages(70'000);
  for (uint64_t i = 0; i < passages.size(); ++i) passages[i] = mix64(i + 5'000'000);
  const auto added = add(*backend, 1, "a long text", passages);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(*added, std::vector<bool>{true});
  EXPECT_GT(std::stoul(server.say({"DBSIZE"})), size_t{65'536});
  expect_there(*backend, 1, "a long text");
  const auto found = backend->look_up({passages, {}, 0, false});
  ASSERT_TRUE(found) << found.error().message;
  for (size_t i = 0; i < passages.size(); ++i) ASSERT_EQ(found->by_key[i].size(), 1u) << i;
}

// A key with very many documents gets a list of its own, and the others of its list are short again.
TEST_F(RedisHardship, AKeyOfManyDocumentsGetsAListOfItsOwn) {
  RedisServer server;
  const auto backend = made(server.uri());
  const auto other = open_redis_backend(server.uri(), {});
  const uint64_t common = 77;
  constexpr uint64_t kBatch = 1000, kCount = 15'000;
  for (uint64_t done = 0; done < kCount; done += kBatch) {
    const auto found = backend->look_up({{}, {}, kBatch, true});
    ASSERT_TRUE(found);
    std::vector<StoredDocument> documents;
    for (uint64_t i = 0; i < kBatch; ++i) documents.push_back({found->first_reserved + i, "r", {&common, 1}, {}});
    std::vector<Change> changes(kBatch);
    for (uint64_t i = 0; i < kBatch; ++i) changes[i].added = {&documents[i], 1};
    ASSERT_EQ(*(done % 2000 == 0 ? **other : *backend).commit(*found->seen, changes), std::vector<bool>(kBatch, true));
    if (done % 3000 != 0) continue;
    const auto seen = (*other)->look_up({{&common, 1}, {}, 0, false});
    ASSERT_TRUE(seen) << seen.error().message;
    EXPECT_EQ(seen->by_key[0].size(), done + kBatch);
  }
  ASSERT_TRUE(backend->look_up({{&common, 1}, {}, 0, false}));
  const auto all = backend->look_up({{&common, 1}, {}, 0, false});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->by_key[0].size(), kCount);
  redis::ConnectionPool pool(server.uri(), {});
  redis::Request request;
  request.command({"KEYS", "{t}[kK]*"});
  const auto keys = pool.ask(request);
  ASSERT_TRUE(keys);
  ASSERT_EQ((*keys)[0].size, 2u);
  for (size_t i = 0; i < 2; ++i) {
    const std::string key(keys->text(keys->element(0, i)));
    const auto size = std::stoul(server.say({"STRLEN", key}));
    EXPECT_TRUE(key.starts_with("{t}K") ? size > 50'000 : size < redis::RedisStore::kLongListBytes) << key << size;
  }
}

}  // namespace
}  // namespace neardup::remote
