// The store in a folder: what every store must do, and what is its own.
#include "neardup/store/embedded_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "neardup/store/directory_files.h"
#include "neardup/store/store_state.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/conformance.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store::embedded_store_test {
namespace {

namespace fs = std::filesystem;
constexpr int kDistance = 3;
StoreSettings settings_of(uint32_t num_bits) {
  return {.num_fingerprints = 1, .num_bits = num_bits, .max_distance = kDistance};
}
const StoreSettings kSettings = settings_of(64);

class EmbeddedStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    fs::remove_all(folder_);
    options_.map_keys = 64;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<EmbeddedStore> make() const {
    auto store = EmbeddedStore::create(folder_, kSettings, options_);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }
  std::unique_ptr<EmbeddedStore> open() const {
    auto store = EmbeddedStore::open(folder_, options_);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }
  std::string folder_;
  StoreOptions options_;
  ByNumber judge_;
};

TEST_F(EmbeddedStoreTest, RefusesWhatCannotBeStored) {
  const auto store = make();
  OwnedRecord bad = document_of("", 1);
  Record view = bad.view();
  EXPECT_EQ(store->check_and_insert({&view, 1}, judge_).error().code, Code::kInvalidArgument);
  bad = document_of("x", 1);
  bad.fingerprints = {1, 2};
  view = bad.view();
  EXPECT_EQ(store->put({&view, 1}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(EmbeddedStore::open(folder_, options_).error().code, Code::kIo);  // another one has it open
  EXPECT_EQ(EmbeddedStore::create(folder_, {}, options_).error().code, Code::kInvalidArgument);
  EXPECT_EQ(EmbeddedStore::open(folder_ + "-not", options_).error().code, Code::kNotFound);
}

TEST_F(EmbeddedStoreTest, RefusesWidthsAndDistancesThatThereAreNot) {
  for (const auto& [num_bits, distance, message] : {std::tuple(32, 3, "64 or 128 bits"),
                                                    {64, 17, "a distance of 0 to 16"},
                                                    {128, 33, "a distance of 0 to 32"},
                                                    {128, -1, "a distance of 0 to 32"}}) {
    StoreSettings settings = settings_of(static_cast<uint32_t>(num_bits));
    settings.max_distance = distance;
    const auto refused = EmbeddedStore::create(folder_, settings, options_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::kInvalidArgument);
    EXPECT_NE(refused.error().message.find(message), std::string::npos) << refused.error().message;
    EXPECT_FALSE(fs::exists(folder_));
  }
  const auto store = EmbeddedStore::create(folder_, settings_of(128), options_);
  ASSERT_TRUE(store) << store.error().message;
  OwnedRecord document = document_of("x", 1);  // half a fingerprint
  Record view = document.view();
  EXPECT_EQ((*store)->check_and_insert({&view, 1}, judge_).error().code, Code::kInvalidArgument);
  EXPECT_EQ((*store)->query(view, judge_, 9).error().code, Code::kInvalidArgument);
  document = widened(document);
  view = document.view();
  EXPECT_TRUE((*store)->check_and_insert({&view, 1}, judge_));
}

// The index of fingerprints knows no categories: what is within reach in another one is not compared, so it takes
// nothing of the bound.
TEST_F(EmbeddedStoreTest, ABoundOnWhatIsComparedCountsWhatIsCompared) {
  options_.most_compared = 1;
  const auto store = make();
  const auto add = [&](const std::string& id, int number, const std::string& within) {
    OwnedRecord document = document_of(id, number);
    document.within = within;
    const Record view = document.view();
    const auto answers = store->check_and_insert({&view, 1}, judge_);
    EXPECT_TRUE(answers) << answers.error().message;
    return answers ? answers->front() : Answer();
  };
  for (const int number : {0, 4}) EXPECT_EQ(add("other" + std::to_string(number), number, "b").fate.kind, Kind::kNew);
  EXPECT_EQ(add("a", 3, "").fate, Fate{});
  EXPECT_EQ(add("near", 2, "").kept_id, "a");
  EXPECT_EQ(add("far", 5, "").fate, Fate{}) << "all are compared, which is one";
  EXPECT_EQ(add("cut", 1, "").fate, Fate{.is_truncated = true}) << "two are in its category";
}

// A process that was killed, or a disk that was full, leaves them.
TEST_F(EmbeddedStoreTest, FilesOnTheirWayToTheirNamesDoNotStay) {
  make();
  const std::string kNames[] = {"MANIFEST.tmp12-3", "own-counts.bin.tmp12-4", "own-counts.bin",
                                "keys-000001.ndx.tmp12-5"};
  for (const std::string& name : kNames) std::ofstream(folder_ + "/" + name) << "half";
  std::ofstream(folder_ + "/note.tmp") << "of somebody else";
  open();
  for (const std::string& name : kNames) EXPECT_FALSE(fs::exists(folder_ + "/" + name)) << name;
  EXPECT_TRUE(fs::exists(folder_ + "/note.tmp"));
}

// Segments are merged in the background meanwhile.
TEST_F(EmbeddedStoreTest, ManyCheckpointsOneAfterTheOther) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  const auto store = make();
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(store->put(views_of({document_of("d" + std::to_string(i), i * 20)})));
    const Status made = store->checkpoint();
    ASSERT_TRUE(made) << made.error().message;
  }
}

// Records of erased documents go, others are found as before, also by who opens it again.
TEST_F(EmbeddedStoreTest, WhatIsErasedLeavesTheDisk) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  constexpr int kCount = 300;
  auto store = make();
  const auto put = [&](int i) {
    OwnedRecord document = document_of("d" + std::to_string(i), i * 20);
    document.tag = i % 5 == 0 ? "stays" : "goes";
    return store->put(views_of({document}));
  };
  for (int i = 0; i < kCount; ++i) {
    ASSERT_TRUE(put(i));
    if (i % 100 == 99) {
      ASSERT_TRUE(store->checkpoint());
    }
  }
  const uint64_t before = store->statistics()->disk_bytes;
  EXPECT_EQ(*store->erase_tag("goes"), 240u);
  ASSERT_TRUE(store->checkpoint());
  ASSERT_TRUE(put(0));
  ASSERT_TRUE(store->checkpoint());
  EXPECT_LT(store->statistics()->disk_bytes, before);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(store->statistics()->documents, 60u);
    for (int i = 0; i < kCount; ++i) {
      const bool is_there = *store->find("d" + std::to_string(i),
                                         [&](const Record& record) { EXPECT_EQ(record.body, std::to_string(i * 20)); });
      EXPECT_EQ(is_there, i % 5 == 0) << i;
      EXPECT_EQ(store->query(document_of("x", i * 20).view(), judge_, 9)->found.size(), i % 5 == 0 ? 1u : 0u) << i;
    }
    store.reset();
    store = open();
  }
}

// Each that comes would look at all that came before.
TEST(StoreState, FewCopiesOfATextAreFoundByIt) {
  auto index = FingerprintIndex::open("", kSettings);
  ASSERT_TRUE(index) << index.error().message;
  StoreState state(std::make_unique<bands::KeyIndex>(1 << 16), std::move(*index));
  const OwnedRecord document = document_of("x", 20);
  Record record = document.view();
  const uint64_t text = DocumentKeys({&record, 1}).text(0);
  const auto num_found = [&](Kind kind) {
    record.fate = {.kind = kind, .kept = 0};
    for (int i = 0; i < 100; ++i, ++record.number) EXPECT_TRUE(state.add(record, state.keys_to_add(record), "logged"));
    std::vector<uint64_t> found;
    state.keys().view().find({&text, 1}, found);
    return found.size();
  };
  EXPECT_EQ(num_found(Kind::kExact), 0u);
  EXPECT_EQ(num_found(Kind::kNear), 16u);
  const uint64_t first[] = {100, 101};
  state.erase(first);
  EXPECT_EQ(num_found(Kind::kNear), 18u);
  EXPECT_EQ(num_found(Kind::kNew), 118u);
}

TEST_F(EmbeddedStoreTest, VerdictsOfCopiesStayWhenThoseThatTheTextFindsGo) {
  auto store = make();
  const auto put = [&](const std::string& id, int number) {
    return store->check_and_insert(views_of({document_of(id, number)}), judge_)->at(0);
  };
  ASSERT_EQ(put("kept", 20).fate.kind, Kind::kNew);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(put("same" + std::to_string(i), 20).kept_id, "kept");
    const Answer near = put("near" + std::to_string(i), 21);
    ASSERT_EQ(near.fate.kind, Kind::kNear) << i;
    ASSERT_EQ(near.kept_id, "kept") << i;
  }
  for (int i = 0; i < 100; ++i) {  // the first ones go, and with them those that the text finds
    const std::string ids[] = {"same" + std::to_string(i), "near" + std::to_string(i)};
    const std::string_view views[] = {ids[0], ids[1]};
    ASSERT_EQ(*store->erase(views), 2u);
    ASSERT_EQ(put("a" + std::to_string(i), 20).fate.kind, Kind::kExact);
    const Answer near = put("b" + std::to_string(i), 21);
    ASSERT_EQ(near.fate.kind, Kind::kNear);
    ASSERT_EQ(near.kept_id, "kept");
    if (i % 30 == 0) store.reset(), store = open();
  }
}

TEST_F(EmbeddedStoreTest, ADocumentIsFoundByItsNumber) {
  const auto store = make();
  ASSERT_TRUE(store->begin_tag("open"));
  OwnedRecord hidden = document_of("hidden", 60);
  hidden.tag = "open";
  ASSERT_TRUE(store->put(views_of({document_of("a", 20), document_of("b", 40), hidden})));
  const std::string_view ids[] = {"none", "a", "hidden", "nor"};
  std::string id;
  const auto visit = [&](const Record& record) { id = record.id; };
  EXPECT_TRUE(*store->find_number(1, visit));
  EXPECT_EQ(id, "b");
  EXPECT_FALSE(*store->find_number(2, visit));  // in an open tag
  EXPECT_FALSE(*store->find_number(3, visit));
  std::vector<size_t> missing;
  EXPECT_EQ(*store->erase(ids, &missing), 2u);
  EXPECT_EQ(missing, (std::vector<size_t>{0, 3}));
  EXPECT_FALSE(*store->find_number(0, visit));
  EXPECT_EQ(id, "b");
}

// Segments and logs that no checkpoint finds worth its while.
TEST_F(EmbeddedStoreTest, CompactLeavesNothingBehind) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  auto store = make();
  std::vector<std::string> erased;
  for (int i = 0; i < 700; ++i) {
    OwnedRecord document = document_of("d" + std::to_string(i), i * 20);
    ASSERT_TRUE(store->put(views_of({document})));
    if (i % 10 == 3) erased.push_back(document.id);
    if (i % 100 == 99) {
      ASSERT_TRUE(store->checkpoint());
    }
  }
  ASSERT_EQ(*store->erase(std::vector<std::string_view>(erased.begin(), erased.end())), erased.size());
  ASSERT_TRUE(store->checkpoint());
  for (int round = 0; round < 2; ++round) {
    const Status compacted = store->compact();
    ASSERT_TRUE(compacted) << compacted.error().message;
    EXPECT_EQ(store->statistics()->record_files, 1u);
    EXPECT_EQ(store->statistics()->key_segments, 1u);
    EXPECT_EQ(store->statistics()->fingerprint_segments, 1u);
    for (int i = 0; i < 700; ++i) {
      EXPECT_EQ(*store->find("d" + std::to_string(i), [](const Record&) {}), i % 10 != 3) << i;
      EXPECT_EQ(store->query(document_of("x", i * 20).view(), judge_, 9)->found.size(), i % 10 != 3 ? 1u : 0u) << i;
    }
    store.reset();
    store = open();
  }
}

TEST_F(EmbeddedStoreTest, OpeningItAgainAndAgainLeavesNoLogs) {
  make();
  const auto num_logs = [&] {
    return std::count_if(fs::directory_iterator(folder_), fs::directory_iterator(), [](const auto& entry) {
      return entry.path().filename().string().starts_with("log-") && entry.path().extension() == ".log";
    });
  };
  for (int i = 0; i < 4; ++i) open();
  EXPECT_EQ(num_logs(), 1);
  ASSERT_TRUE(open()->put(views_of({document_of("a", 20)})));
  for (int i = 0; i < 4; ++i) open();
  EXPECT_LE(num_logs(), 2);  // that with the document, and the last one
  ASSERT_TRUE(open()->put(views_of({document_of("b", 40)})));
  const auto store = open();
  for (const std::string id : {"a", "b"}) EXPECT_TRUE(*store->find(id, [](const Record&) {})) << id;
}

// However they come: alone, in one batch, equal or of other texts.
TEST_F(EmbeddedStoreTest, APassageIsRecordedOfSoManyAndNoMore) {
  StoreSettings settings = kSettings;
  settings.has_passages = true;
  const auto store = EmbeddedStore::create(folder_, settings, options_);
  ASSERT_TRUE(store) << store.error().message;
  std::vector<OwnedRecord> documents;
  for (int i = 0; i < 100; ++i) {
    documents.push_back(document_of("d" + std::to_string(i), i % 2 == 0 ? 20 : 1000 + i));
    documents.back().passages = {7, 8};
  }
  const auto some = [&](size_t begin, size_t end) {
    return std::vector(documents.begin() + static_cast<ptrdiff_t>(begin),
                       documents.begin() + static_cast<ptrdiff_t>(end));
  };
  for (size_t i = 0; i < 20; ++i) ASSERT_TRUE((*store)->put(views_of(some(i, i + 1))));
  ASSERT_TRUE((*store)->checkpoint());
  ASSERT_TRUE((*store)->put(views_of(some(20, 100))));
  size_t num_recorded = 0;
  for (const OwnedRecord& document : documents)
    ASSERT_TRUE(*(*store)->find(document.id, [&](const Record& record) { num_recorded += record.passages.size(); }));
  EXPECT_EQ(num_recorded, 2 * kMostRecorded);
}

StoreOptions small() {
  StoreOptions options;
  options.map_keys = 64;
  options.log_bytes = 4096;  // checkpoints meanwhile
  return options;
}

StoreFactory embedded(uint32_t num_bits, bool has_passages = false) {
  StoreFactory factory;
  factory.name = "embedded" + std::to_string(num_bits) + (has_passages ? "passages" : "");
  factory.num_bits = num_bits;
  factory.has_passages = has_passages;
  factory.make = [num_bits, has_passages]() -> std::unique_ptr<Store> {
    fs::remove_all(own_path());
    StoreSettings settings = settings_of(num_bits);
    settings.has_passages = has_passages;
    auto store = EmbeddedStore::create(own_path(), settings, small());
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  };
  factory.again = [](std::unique_ptr<Store> store) -> std::unique_ptr<Store> {
    store.reset();
    auto opened = EmbeddedStore::open(own_path(), small());
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  };
  factory.settle = [](Store& store) {
    const Status made = dynamic_cast<EmbeddedStore&>(store).checkpoint();
    EXPECT_TRUE(made) << made.error().message;
  };
  factory.open_snapshot = [](const std::string& folder) -> std::unique_ptr<Store> {
    auto opened = EmbeddedStore::open(folder, small());
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  };
  factory.remove = [] { fs::remove_all(own_path()); };
  return factory;
}
INSTANTIATE_TEST_SUITE_P(Embedded, StoreConformance, testing::Values(embedded(64), embedded(128), embedded(64, true)));

}  // namespace
}  // namespace neardup::store::embedded_store_test
