// A store that answers is asked for all that is in it; what is lost is named.
#include "neardup/engine/online/check_stored.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/remote/remote_store.h"
#include "neardup/store/document_keys.h"
#include "neardup/store/embedded_store.h"
#include "tests/own_path.h"
#include "tests/unit/remote/memory_backend.h"

namespace neardup::engine {
namespace {

constexpr uint64_t kCount = 250;  // more than are asked for at once

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

std::string faults_of(const store::Store& store) {
  const auto check = check_stored(store);
  if (!check) return check.error().message;
  EXPECT_EQ(check->documents, kCount);
  std::string faults;
  for (const std::string& fault : check->faults) faults += fault + "\n";
  return faults;
}

class CheckStored : public testing::TestWithParam<uint32_t> {
 protected:
  std::shared_ptr<remote::MemoryServer> server_ = std::make_shared<remote::MemoryServer>(settings(GetParam()));
  remote::RemoteStore store_{std::make_unique<remote::MemoryBackend>(server_)};
};

TEST_P(CheckStored, AWholeStoreHasNoFaults) {
  fill(store_);
  EXPECT_EQ(faults_of(store_), "");
  const std::string folder = own_path();
  {
    const auto embedded = store::EmbeddedStore::create(folder, settings(GetParam()));
    ASSERT_TRUE(embedded) << embedded.error().message;
    fill(**embedded);
    EXPECT_EQ(faults_of(**embedded), "");
  }
  std::filesystem::remove_all(folder);
}

TEST_P(CheckStored, EachThingThatIsLostIsNamed) {
  fill(store_);
  // Takes document 40 off the lists of keys one by one: each is its id, text, tag, a key, a passage or nothing of it.
  std::set<std::string> named;
  for (auto& [key, numbers] : server_->by_key) {
    if (numbers.erase(40) == 0) continue;
    const std::string faults = faults_of(store_);
    numbers.insert(40);
    if (!faults.empty()) {
      EXPECT_EQ(faults.find("document 40 is not found by its "), 0U) << faults;
      EXPECT_EQ(std::ranges::count(faults, '\n'), 1) << faults;
      named.insert(faults.substr(std::string("document 40 is not found by its ").size()));
    }
  }
  EXPECT_TRUE(named.contains("id\n"));
  EXPECT_TRUE(named.contains("text\n"));
  EXPECT_TRUE(named.contains("keys\n"));
  EXPECT_EQ(named.contains("passages\n"), store_.settings().has_passages);
}

TEST_P(CheckStored, AFingerprintThatIsLostIsNamed) {
  fill(store_);
  server_->fingerprints[40][0] ^= 0xff00;
  EXPECT_EQ(faults_of(store_),
            "document 40 is not found by its fingerprints\ndocument 40 is not found by its "
            "fingerprints\n");
}

TEST_P(CheckStored, ADuplicateThatItsKeptDocumentDoesNotLeadToIsNamed) {
  fill(store_);
  ASSERT_EQ(server_->by_key[store::kept_key(43)].erase(44), 1U);
  EXPECT_EQ(faults_of(store_), "document 44 is not found by its kept document\n");
}

TEST_P(CheckStored, ManyFaultsOfAKindAreCounted) {
  fill(store_);
  server_->fingerprints.clear();
  const auto check = check_stored(store_);
  ASSERT_TRUE(check);
  EXPECT_EQ(check->faults.size(), store::kMostOfAKind + 1);
  EXPECT_NE(check->faults.back().find("more that are not found by their fingerprints"), std::string::npos);
}

TEST_P(CheckStored, ItStopsOnRequestAndWhereTheServerFails) {
  fill(store_);
  const std::atomic<bool> stops = true;
  EXPECT_EQ(check_stored(store_, {nullptr, &stops}).error().code, Code::kCancelled);
  server_->fault = [](std::string_view, uint64_t) { return remote::Fault::kBefore; };
  EXPECT_EQ(check_stored(store_).error().code, Code::kIo);
}

INSTANTIATE_TEST_SUITE_P(Bits, CheckStored, testing::Values(64, 128));

}  // namespace
}  // namespace neardup::engine
