// A store on the real HBase of these tests, and documents for it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "tests/hbase/server.h"

namespace neardup::remote {

class HBaseTest : public testing::Test {
 protected:
  void SetUp() override {
    settings_.num_fingerprints = 1;
    auto made = create_hbase_backend(uri_of(table_), settings_, {}, {});
    ASSERT_TRUE(made) << made.error().message;
    backend_ = std::move(*made);
  }
  void TearDown() override {
    const Status dropped = drop_hbase_store(uri_of(table_), {});
    EXPECT_TRUE(dropped) << dropped.error().message;
  }

  [[nodiscard]] std::unique_ptr<Backend> client(uint16_t port = 0, RemoteOptions options = {}) const {
    RemoteUri uri = uri_of(table_);
    if (port != 0) uri.port = port;
    auto opened = open_hbase_backend(uri, options);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  static uint64_t fingerprint(uint64_t i) { return mix64(i + 77); }

  /// Stores a document under its key as one who comes first; whether it happened, or that it failed.
  static Result<bool> add(Backend& backend, uint64_t i) {
    const uint64_t key = mix64(i), print = fingerprint(i);
    NEARDUP_ASSIGN(const Found found, backend.look_up({{&key, 1}, {&print, 1}, 1, true}));
    if (!found.by_key[0].empty()) return false;
    const std::string record = "record " + std::to_string(i);
    const StoredDocument document{found.first_reserved, record, {&key, 1}, {&print, 1}};
    Change change;
    change.keys = {&key, 1};
    change.fingerprints = {&print, 1};
    change.added = {&document, 1};
    change.documents = 1;
    NEARDUP_ASSIGN(const std::vector<bool> happened, backend.commit(*found.seen, {&change, 1}));
    return happened[0];
  }
  /// Each of [0, count) is there, once, by key and by fingerprint.
  static void expect_all(Backend& backend, uint64_t count) {
    std::vector<uint64_t> keys, prints;
    for (uint64_t i = 0; i < count; ++i) keys.push_back(mix64(i)), prints.push_back(fingerprint(i) ^ 5);
    const auto found = backend.look_up({keys, prints, 0, false});
    ASSERT_TRUE(found) << found.error().message;
    for (uint64_t i = 0; i < count; ++i) {
      ASSERT_EQ(found->by_key[i].size(), 1u) << i;
      ASSERT_EQ(found->by_fingerprint[i].size(), 1u) << i;
      EXPECT_EQ(found->by_fingerprint[i][0], found->by_key[i][0]);
      EXPECT_EQ(backend.read(found->by_key[i])->at(0), "record " + std::to_string(i));
    }
    const auto figures = backend.figures();
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->documents, count);
    EXPECT_EQ(backend.numbers_from(0, 10'000)->size(), count);
  }

  const std::string table_ = new_table();
  store::StoreSettings settings_;
  std::unique_ptr<Backend> backend_;
};

}  // namespace neardup::remote
