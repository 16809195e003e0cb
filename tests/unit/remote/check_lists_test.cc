// What the lists of a server do not lead to is named, and what it counted wrongly.
#include "neardup/remote/check_lists.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/remote/remote_store.h"
#include "neardup/store/document_keys.h"
#include "tests/unit/remote/memory_backend.h"

namespace neardup::remote::check_lists_test {
namespace {

constexpr uint64_t kCount = 1250;  // more than are read at once

store::StoreSettings settings(uint32_t num_bits) {
  store::StoreSettings settings{.num_fingerprints = 2, .num_bits = num_bits};
  settings.has_passages = num_bits == 64;
  return settings;
}

// Documents of which each fifth repeats the one before it.
void fill(store::Store& store) {
  const size_t words = 2 * store.settings().num_bits / 64;
  for (uint64_t number = 0; number < kCount; ++number) {
    const std::string id = "document " + std::to_string(number);
    std::vector<uint64_t> fingerprints, keys{mix64(number), mix64(number + 1000), 77}, passages{number, number + 9};
    for (size_t i = 0; i < words; ++i) fingerprints.push_back(mix64(number * 4 + i));
    store::Record record;
    record.number = number;
    record.id = id;
    record.checksum = {.high = 1, .low = number};
    record.within = number % 2 == 0 ? "a" : "";
    record.tag = number % 3 == 0 ? "t" : "";
    if (number % 5 == 4) {
      record.fate = {.kind = store::Kind::kNear, .kept = number - 1, .similarity = .5F, .distance = 3};
    } else {
      record.fingerprints = fingerprints;
      record.keys = keys;
      if (store.settings().has_passages) record.passages = passages;
    }
    ASSERT_TRUE(store.restore({&record, 1}));
  }
}

std::string faults_of(const RemoteStore& store) {
  const auto check = store.check_whole();
  if (!check) return check.error().message;
  EXPECT_EQ(check->documents, kCount);
  std::string faults;
  for (const std::string& fault : check->faults) faults += fault + "\n";
  return faults;
}

class CheckListsTest : public testing::TestWithParam<uint32_t> {
 protected:
  std::shared_ptr<MemoryServer> server_ = std::make_shared<MemoryServer>(settings(GetParam()));
  RemoteStore store_{std::make_unique<MemoryBackend>(server_)};
};

TEST_P(CheckListsTest, AWholeStoreHasNoFaults) {
  fill(store_);
  EXPECT_EQ(faults_of(store_), "");
}

TEST_P(CheckListsTest, EachThingThatIsLostIsNamed) {
  fill(store_);
  // Takes document 40 off the lists of keys one by one: each is its id, text, tag, a key, a passage or nothing of it.
  std::set<std::string> named;
  for (auto& [key, numbers] : server_->by_key) {
    if (numbers.erase(40) == 0) continue;
    const std::string faults = faults_of(store_);
    numbers.insert(40);
    if (!faults.empty()) {
      EXPECT_EQ(faults.find("document 'document 40' is not found by its "), 0U) << faults;
      EXPECT_EQ(std::ranges::count(faults, '\n'), 1) << faults;
      named.insert(faults.substr(std::string("document 'document 40' is not found by its ").size()));
    }
  }
  EXPECT_TRUE(named.contains("id\n"));
  EXPECT_TRUE(named.contains("text\n"));
  EXPECT_TRUE(named.contains("keys\n"));
  EXPECT_EQ(named.contains("passages\n"), store_.settings().has_passages);
}

TEST_P(CheckListsTest, AFingerprintThatIsLostIsNamed) {
  fill(store_);
  server_->fingerprints[40][0] ^= 0xff00;
  EXPECT_EQ(faults_of(store_),
            "document 'document 40' is not found by its fingerprints\ndocument 'document 40' is not found by its "
            "fingerprints\n");
}

TEST_P(CheckListsTest, ADuplicateThatItsKeptDocumentDoesNotLeadToIsNamed) {
  fill(store_);
  ASSERT_EQ(server_->by_key[store::kept_key(43)].erase(44), 1U);
  EXPECT_EQ(faults_of(store_), "document 'document 44' is not found by its kept document\n");
}

// Also documents of open tags are counted, and looked at.
TEST_P(CheckListsTest, CountsThatAreWrongAreNamed) {
  fill(store_);
  ++server_->documents;
  EXPECT_EQ(faults_of(store_),
            "the store counted 1251 documents, 250 of them duplicates, and 1250 and 250 are there\n");
  --server_->documents, --server_->duplicates;
  EXPECT_EQ(faults_of(store_),
            "the store counted 1250 documents, 249 of them duplicates, and 1250 and 250 are there\n");
  server_->documents_vanish = true;
  EXPECT_EQ(faults_of(store_), "");
}

TEST_P(CheckListsTest, WhatComesOrGoesMeanwhileIsNoFault) {
  fill(store_);
  RemoteStore other(std::make_unique<MemoryBackend>(server_));
  size_t num_looks = 0;
  std::string_view ids[] = {"document 7", "document 1100"};
  server_->fault = [&](std::string_view member, uint64_t) {
    if (member == "look_up" && ++num_looks == 1) {  // what was read is gone before it is looked up
      server_->records.erase(7);
      for (auto& [key, numbers] : server_->by_key) numbers.erase(7);
      server_->fingerprints.erase(7);
      --server_->documents, ++server_->erased;
    }
    return Fault::kNone;
  };
  EXPECT_EQ(faults_of(store_), "");
  server_->fault = {};
  ASSERT_EQ(*other.erase({&ids[1], 1}), 1U);
  EXPECT_EQ(store_.check_whole()->faults.size(), 0U);
}

TEST_P(CheckListsTest, ManyAreLookedUpInFewCalls) {
  fill(store_);
  const uint64_t before = server_->num_calls;
  EXPECT_EQ(faults_of(store_), "");
  EXPECT_LE(server_->num_calls - before, 20U);
}

TEST_P(CheckListsTest, ManyFaultsOfAKindAreCounted) {
  fill(store_);
  server_->fingerprints.clear();
  const auto check = store_.check_whole();
  ASSERT_TRUE(check);
  EXPECT_EQ(check->faults.size(), store::kMostOfAKind + 1);
  EXPECT_NE(check->faults.back().find("more that are not found by their fingerprints"), std::string::npos);
}

TEST_P(CheckListsTest, ItStopsOnRequestAndWhereTheServerFails) {
  fill(store_);
  const std::atomic<bool> stops = true;
  EXPECT_EQ(store_.check_whole({nullptr, &stops}).error().code, Code::kCancelled);
  server_->fault = [](std::string_view, uint64_t) { return Fault::kBefore; };
  EXPECT_EQ(store_.check_whole().error().code, Code::kIo);
}

INSTANTIATE_TEST_SUITE_P(Bits, CheckListsTest, testing::Values(64, 128));

}  // namespace
}  // namespace neardup::remote::check_lists_test
