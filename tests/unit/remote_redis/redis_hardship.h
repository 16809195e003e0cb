// A store on a Redis server of a test's own, with documents that are told apart by a number.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/remote/redis/redis_backend.h"
#include "tests/unit/remote_redis/redis_server.h"

namespace neardup::remote {

class RedisHardship : public testing::Test {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "there is no /usr/bin/redis-server here (Debian: redis-server)";
  }

  static store::StoreSettings settings() {
    store::StoreSettings settings{.num_fingerprints = 1};
    settings.recipe_json = "{}";
    return settings;
  }
  std::unique_ptr<Backend> made(const RemoteUri& uri) {
    options_.connect_timeout = std::chrono::milliseconds(3000);
    auto backend = create_redis_backend(uri, settings(), options_, {});
    EXPECT_TRUE(backend) << backend.error().message;
    return backend ? std::move(*backend) : nullptr;
  }
  struct Added {
    Found found;
    uint64_t number = 0;
  };
  // Looks up who may repeat document i, which a store of its own has under its key.
  static Result<Found> look(Backend& backend, uint64_t i) {
    const uint64_t key = mix64(i), fingerprint = mix64(i + 1'000'000);
    return backend.look_up({{&key, 1}, {&fingerprint, 1}, 1, true});
  }
  static Result<std::vector<bool>> add(Backend& backend, const Found& found, uint64_t i, std::string_view record,
                                       std::span<const uint64_t> more = {}) {
    const uint64_t fingerprint = mix64(i + 1'000'000);
    std::vector<uint64_t> keys = {mix64(i)};
    keys.insert(keys.end(), more.begin(), more.end());
    const StoredDocument document{found.first_reserved, record, keys, {&fingerprint, 1}};
    Change change;
    change.keys = std::span(keys).first(1), change.fingerprints = {&fingerprint, 1}, change.added = {&document, 1};
    change.documents = 1;
    return backend.commit(*found.seen, {&change, 1});
  }
  static Result<std::vector<bool>> add(Backend& backend, uint64_t i, std::string_view record,
                                       std::span<const uint64_t> more = {}) {
    NEARDUP_ASSIGN(const Found found, look(backend, i));
    return add(backend, found, i, record, more);
  }
  // Whether document i is there, with its record, and found both ways.
  static void expect_there(Backend& backend, uint64_t i, const std::string& record) {
    const auto found = look(backend, i);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->by_key[0].size(), 1u) << i;
    ASSERT_EQ(found->by_fingerprint[0].size(), 1u) << i;
    const auto records = backend.read(found->by_key[0]);
    ASSERT_TRUE(records) << records.error().message;
    EXPECT_EQ(records->at(0), record);
  }

  // Adds documents under one key, of which the first has this number, and under keys of their own.
  static void add_many(Backend& backend, uint64_t key, uint64_t first, uint64_t count) {
    constexpr uint64_t kBatch = 1000;
    for (uint64_t done = 0; done < count; done += kBatch) {
      const uint64_t size = std::min(kBatch, count - done);
      const auto found = backend.look_up({{}, {}, size, true});
      ASSERT_TRUE(found) << found.error().message;
      std::vector<std::array<uint64_t, 2>> keys;
      std::vector<StoredDocument> documents;
      std::vector<Change> changes(size);
      keys.reserve(size), documents.reserve(size);
      for (uint64_t i = 0; i < size; ++i) {
        keys.push_back({key, mix64(first + done + i)});
        documents.push_back({found->first_reserved + i, "r", keys.back(), {}});
        changes[i].added = {&documents[i], 1};
        changes[i].documents = 1;
      }
      const auto happened = backend.commit(*found->seen, changes);
      ASSERT_TRUE(happened) << happened.error().message;
      ASSERT_EQ(*happened, std::vector<bool>(size, true));
    }
  }
  static size_t count(Backend& backend, uint64_t key) {
    const auto found = backend.look_up({{&key, 1}, {}, 0, false});
    EXPECT_TRUE(found) << found.error().message;
    return found ? found->by_key[0].size() : 0;
  }

  RemoteOptions options_;
};

}  // namespace neardup::remote
