// A server keeps few bits of a key, here none: whoever it shows under one is taken by what its record says, and costs
// no more than being read.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "neardup/remote/remote_store.h"
#include "tests/unit/remote/memory_backend.h"
#include "tests/unit/store/store_model.h"

namespace neardup::remote::cut_keys_test {
namespace {

using store::Kind;
using store::OwnedRecord;
using store::Record;
using store::views_of;

// As one of whose texts nothing is kept: who shares a band is similar; who has a passage holds the other one.
class AllAlike : public store::Judge {
 public:
  Result<std::optional<store::Likeness>> compare(const Record&, const Record&) const override {
    return std::optional(store::Likeness{.is_estimate = true});
  }
  Result<std::vector<store::Container>> containers_of(const Record&, std::span<const store::Holding> holdings,
                                                      store::Containing, const ReadStored&) const override {
    if (holdings.empty()) return std::vector<store::Container>();
    return std::vector{store::Container{holdings[0].number, 1}};
  }
};

class CutKeysTest : public testing::Test {
 protected:
  CutKeysTest() { server_->key_mask = 0; }

  static store::StoreSettings settings() {
    store::StoreSettings settings{.num_fingerprints = 1};
    settings.has_passages = true;
    return settings;
  }
  static OwnedRecord document(uint64_t i) {
    OwnedRecord document;
    document.id = "d" + std::to_string(i);
    document.body = std::to_string(i);
    document.checksum = hash128(document.body);
    document.keys = {mix64(i)};
    document.passages = {i, i + 100'000};
    return document;
  }
  std::vector<store::Answer> insert(const std::vector<OwnedRecord>& documents) {
    auto answers = store_.check_and_insert(views_of(documents), AllAlike());
    EXPECT_TRUE(answers) << answers.error().message;
    return answers ? std::move(*answers) : std::vector<store::Answer>(documents.size());
  }

  std::shared_ptr<MemoryServer> server_ = std::make_shared<MemoryServer>(settings());
  RemoteStore store_{std::make_unique<MemoryBackend>(server_)};
};

TEST_F(CutKeysTest, WhoSharesNoBandIsNotSimilar) {
  for (uint64_t i = 0; i < 60; ++i) ASSERT_EQ(insert({document(i)})[0].fate.kind, Kind::kNew) << i;
  OwnedRecord like = document(1000);
  like.keys.push_back(mix64(41));
  EXPECT_EQ(store_.query(like.view(), AllAlike(), 99)->found.size(), 1U);
  EXPECT_EQ(*store_.find_repeated(like.view(), AllAlike()), 41U);
  EXPECT_EQ(insert({like})[0].kept_id, "d41");
}

TEST_F(CutKeysTest, WhoHasNoPassageHoldsNothing) {
  for (uint64_t i = 0; i < 40; ++i) insert({document(i)});
  OwnedRecord asked = document(1000);
  EXPECT_EQ(store_.find_holders(asked.view(), 99)->size(), 0U);
  EXPECT_EQ(store_.query(asked.view(), AllAlike(), 99)->found.size(), 0U);
  asked.passages = {31, 1'000'000};
  EXPECT_EQ(*store_.find_holders(asked.view(), 99), std::vector<uint64_t>{31});
  EXPECT_EQ(insert({asked})[0].fate.kind, Kind::kContained);
}

// A false one of its text would be left out of those that hold it.
TEST_F(CutKeysTest, WhoHasAnotherTextHoldsIt) {
  insert({document(1)});
  OwnedRecord asked = document(1000);
  asked.passages = {1};
  EXPECT_EQ(*store_.find_holders(asked.view(), 99), std::vector<uint64_t>{0});
}

// Most of those under a band are not read at once.
TEST_F(CutKeysTest, OfManyUnderABandThoseThatHaveItAreCompared) {
  std::vector<OwnedRecord> documents;
  for (uint64_t i = 0; i < 300; ++i) {
    documents.push_back(document(i));
    documents.back().passages = {};
  }
  ASSERT_TRUE(store_.put(views_of(documents)));
  OwnedRecord like = document(1000);
  like.passages = {};
  EXPECT_EQ(insert({like})[0].fate.kind, Kind::kNew);
  like = document(1001);
  like.passages = {}, like.keys = documents[250].keys;
  EXPECT_EQ(insert({like})[0].kept_id, "d250");
}

TEST_F(CutKeysTest, WhoIsShownUnderAFalseKeyTakesOneReadAndNoMore) {
  insert({document(1)});
  OwnedRecord duplicate = document(2);
  duplicate.keys = document(1).keys;
  ASSERT_EQ(insert({duplicate})[0].kept_id, "d1");
  const std::string_view ids[] = {"d1"};
  ASSERT_EQ(*store_.erase(ids), 1U);
  ASSERT_TRUE(*store_.begin_tag("t"));
  OwnedRecord other = document(3);  // who is shown to it repeats one that is not shown
  other.tag = "t";
  const uint64_t before = server_->num_calls;
  EXPECT_EQ(insert({other})[0].fate.kind, Kind::kNew);
  EXPECT_EQ(server_->num_calls - before, 3U);  // looks up, reads, commits
}

}  // namespace
}  // namespace neardup::remote::cut_keys_test
