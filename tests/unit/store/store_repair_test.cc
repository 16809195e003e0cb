// Damage of each file of a store is found, and repaired from the logs; what of a log is lost is named.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "neardup/store/check_store.h"
#include "neardup/store/folder_kind.h"
#include "neardup/store/log_writer.h"
#include "neardup/store/lost_documents.h"
#include "neardup/store/repair_store.h"
#include "neardup/store/store_files.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {
namespace {

namespace fs = std::filesystem;

class StoreRepairTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::remove_all(copy_);
    options_.map_keys = 64;
    make();
  }
  void TearDown() override {
    fs::remove_all(folder_);
    fs::remove_all(copy_);
  }

  // Four logs, one of them written again, and one that is read again; a tag is open.
  void make() {
    const StoreSettings settings{.num_fingerprints = 1, .has_passages = true, .max_distance = 3};
    auto store = EmbeddedStore::create(folder_, settings, options_);
    ASSERT_TRUE(store);
    std::mt19937_64 random(3);
    const ByNumber judge;
    for (int i = 0; i < 200; ++i) {
      if (i % 50 == 20) {
        EXPECT_TRUE((*store)->begin_tag("t" + std::to_string(i / 100)));
      }
      if (i == 90) {
        EXPECT_TRUE((*store)->commit_tag("t0"));
      }
      ASSERT_TRUE((*store)->check_and_insert(views_of({with_passages(some_document(random))}), judge));
      if (i % 50 == 49) {
        ASSERT_TRUE((*store)->checkpoint());
      }
      if (i == 150) {
        ASSERT_TRUE((*store)->expire(25));
      }
    }
    ASSERT_TRUE((*store)->put(views_of({document_of("last", 7)})));
    seen_ = seen_in(**store);
    store->reset();
    fs::copy(folder_, copy_);
  }
  // Three logs of twenty batches of ten, each one record; one that is empty.
  void make_of_batches() {
    fs::remove_all(folder_);
    const auto store = EmbeddedStore::create(folder_, {.num_fingerprints = 1}, options_);
    ASSERT_TRUE(store);
    for (int batch = 0; batch < 60; ++batch) {
      std::vector<OwnedRecord> documents;
      for (int i = 0; i < 10; ++i)
        documents.push_back(document_of(std::to_string(batch) + "." + std::to_string(i), batch * 200 + i * 20));
      ASSERT_TRUE((*store)->put(views_of(documents)));
      if (batch % 20 == 19) {
        ASSERT_TRUE((*store)->checkpoint());
      }
    }
  }
  void restore() {
    fs::remove_all(folder_);
    fs::copy(copy_, folder_);
  }
  void damage(const std::string& name, double where) const {
    const std::string path = folder_ + "/" + name;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto at = static_cast<std::streamoff>(static_cast<double>(fs::file_size(path)) * where);
    file.seekg(at);
    const int byte = file.get();
    file.seekp(at);
    file.put(static_cast<char>(byte ^ 0x55));
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(copy_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  void expect_whole(const std::string& where) const {
    const auto checked = check_store(folder_, options_);
    ASSERT_TRUE(checked) << where << " " << checked.error().message;
    ASSERT_EQ(checked->faults, std::vector<std::string>()) << where;
    ASSERT_GT(checked->documents, 0u);
  }
  [[nodiscard]] std::string seen() const {
    const auto store = EmbeddedStore::open(folder_, options_);
    EXPECT_TRUE(store) << store.error().message;
    return store ? seen_in(**store) : "";
  }

  FailingFileSystem unsynced_{{}};
  ReplacedFileSystem replaced_{unsynced_};
  std::string folder_ = own_path(), copy_ = own_path("copy");
  StoreOptions options_;
  std::string seen_;
};

TEST_F(StoreRepairTest, AWholeStoreHasNoFaultAndARepairChangesNothing) {
  const auto files = names();
  ASSERT_TRUE(std::any_of(files.begin(), files.end(), [](const auto& name) { return name.starts_with("records-"); }));
  expect_whole("new");
  EXPECT_EQ(check_store(folder_ + "-not").error().code, Code::kNotFound);
  const auto repaired = repair_store(folder_, options_);
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_EQ(repaired->lost, std::vector<std::string>());
  expect_whole("repaired");
  EXPECT_EQ(seen(), seen_);
}

TEST_F(StoreRepairTest, WhicheverFileIsDamagedItIsFoundAndMadeAgain) {
  const auto manifest = read_store_manifest(copy_);
  ASSERT_TRUE(manifest);
  std::vector<std::string> named = files_of(*manifest);  // a merge in the background may have left others
  named.emplace_back("MANIFEST");
  for (const std::string& name : named) {
    if (name.ends_with(".log")) continue;
    for (const bool is_missing : {false, true}) {
      restore();
      if (is_missing) fs::remove(folder_ + "/" + name);
      if (!is_missing) damage(name, .5);
      const auto checked = check_store(folder_, options_);
      EXPECT_TRUE(!checked || !checked->faults.empty()) << name;
      const auto repaired = repair_store(folder_, options_);
      ASSERT_TRUE(repaired) << name << " " << repaired.error().message;
      EXPECT_EQ(repaired->lost, std::vector<std::string>()) << name;
      ASSERT_NO_FATAL_FAILURE(expect_whole(name));
      ASSERT_EQ(seen(), seen_) << name;
    }
  }
}

// Else nobody would think of repairing it. A repair that ended half-way leaves it so, too.
TEST_F(StoreRepairTest, AStoreThatHasLostItsManifestIsStillKnownAsOne) {
  const std::string manifest = folder_ + "/MANIFEST";
  fs::remove(manifest);
  for (const bool is_there : {false, true}) {
    if (is_there) std::ofstream(manifest) << "no manifest";
    EXPECT_EQ(kind_of_folder(folder_).value_or(FolderKind::kOther), FolderKind::kStore);
    const auto opened = EmbeddedStore::open(folder_, options_);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Code::kCorruption);
    EXPECT_EQ(opened.error().message.find("--repair") != std::string::npos, !is_there) << opened.error().message;
    const auto checked = check_store(folder_, options_);
    ASSERT_TRUE(checked) << checked.error().message;
    EXPECT_EQ(checked->faults.size(), 1u);
  }
  ASSERT_TRUE(repair_store(folder_, options_));
  EXPECT_EQ(seen(), seen_);
}

// What is left where making it was ended: another one may be made there.
TEST_F(StoreRepairTest, SettingsAloneAreNoStore) {
  fs::remove_all(folder_);
  EXPECT_EQ(kind_of_folder(folder_).value_or(FolderKind::kStore), FolderKind::kOther);
  fs::create_directories(folder_);
  fs::copy(copy_ + "/SETTINGS", folder_);
  EXPECT_EQ(kind_of_folder(folder_).value_or(FolderKind::kStore), FolderKind::kOther);
  EXPECT_EQ(EmbeddedStore::open(folder_, options_).error().code, Code::kNotFound);
  EXPECT_TRUE(EmbeddedStore::create(folder_, {.num_fingerprints = 1}, options_));
}

TEST_F(StoreRepairTest, WhatOfALogIsLostIsNamedAndTheRestIsThere) {
  std::vector<std::string> logs;
  for (const std::string& name : names())
    if (name.starts_with("log-") && name.ends_with(".log")) logs.push_back(name);
  for (const std::string& name : logs) {
    for (const double where : {.001, .01, .02, .03}) {  // the rest is zeros
      restore();
      damage(name, where);
      const auto checked = check_store(folder_, options_);
      ASSERT_TRUE(checked) << name << " " << checked.error().message;
      const auto repaired = repair_store(folder_, options_);
      ASSERT_TRUE(repaired) << name << " " << repaired.error().message;
      EXPECT_EQ(checked->faults.empty(), repaired->lost.empty()) << name << " " << where;
      ASSERT_NO_FATAL_FAILURE(expect_whole(name));
      const bool is_newest = name == logs.back();  // its end may be what a crash has left
      EXPECT_TRUE(is_newest || seen().find("last\n") != std::string::npos) << name << " " << where;
    }
  }
}

// Batches of ten: what is lost is a record each, and so many documents.
TEST_F(StoreRepairTest, LostDocumentsAreCounted) {
  for (const bool has_manifest : {true, false}) {
    for (const double where : {.01, .2, .4, .6, .8, .99}) {
      ASSERT_NO_FATAL_FAILURE(make_of_batches());
      const std::string path = log_path(folder_, 1);
      const auto bytes = static_cast<double>(read_file(path)->find_last_not_of('\0'));
      damage(fs::path(path).filename(), where * bytes / static_cast<double>(fs::file_size(path)));
      if (has_manifest) {
        const auto checked = check_store(folder_, options_);
        ASSERT_TRUE(checked && checked->faults.size() == 1) << where;
        EXPECT_NE(checked->faults[0].find("10 documents at most"), std::string::npos) << checked->faults[0];
      } else {
        fs::remove(folder_ + "/MANIFEST");
      }
      const auto repaired = repair_store(folder_, options_);
      ASSERT_TRUE(repaired) << repaired.error().message;
      ASSERT_EQ(repaired->lost.size(), 1u) << where;
      EXPECT_NE(repaired->lost[0].find("and with them 10 documents at most, from number "), std::string::npos)
          << repaired->lost[0];
      EXPECT_EQ(repaired->lost_documents, 10u) << where;
      EXPECT_EQ(repaired->documents, 590u) << where;
    }
  }
}

// Its numbers are told by the log behind it: once, though that one says too that records are missing.
TEST_F(StoreRepairTest, WhatALogWithADamagedHeaderHeldIsCountedOnce) {
  for (const bool has_manifest : {true, false}) {
    for (const uint64_t log : {1, 2}) {
      ASSERT_NO_FATAL_FAILURE(make_of_batches());
      const std::string path = log_path(folder_, log);
      damage(fs::path(path).filename(), 20.5 / static_cast<double>(fs::file_size(path)));
      if (!has_manifest) fs::remove(folder_ + "/MANIFEST");
      const auto repaired = repair_store(folder_, options_);
      ASSERT_TRUE(repaired) << repaired.error().message;
      EXPECT_EQ(repaired->lost_documents, 200u) << testing::PrintToString(repaired->lost);
      EXPECT_EQ(repaired->documents, 400u);
      const std::string loss =
          ", and with them 200 documents at most, from number " + std::to_string((log - 1) * 200) + " on; restore ";
      EXPECT_NE(repaired->lost.at(0).find(loss), std::string::npos) << repaired->lost[0];
      for (size_t i = 1; i < repaired->lost.size(); ++i)
        EXPECT_EQ(repaired->lost[i].find("at most"), std::string::npos) << repaired->lost[i];
    }
  }
}

// What is lost at the begin of the log behind it is in that count already, which goes up to the first that is there.
TEST_F(StoreRepairTest, DamageBehindADamagedHeaderCountsOnce) {
  ASSERT_NO_FATAL_FAILURE(make_of_batches());
  const std::string second = log_path(folder_, 2), third = log_path(folder_, 3);
  damage(fs::path(second).filename(), 20.5 / static_cast<double>(fs::file_size(second)));
  damage(fs::path(third).filename(), 150.5 / static_cast<double>(fs::file_size(third)));
  fs::remove(folder_ + "/MANIFEST");
  const auto repaired = repair_store(folder_, options_);
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_EQ(repaired->lost_documents, 210u) << testing::PrintToString(repaired->lost);
  EXPECT_EQ(repaired->documents, 390u);
}

TEST_F(StoreRepairTest, OfEqualFaultsTwentyAreTold) {
  fs::remove_all(folder_);
  options_.log_bytes = 1;  // no log is joined with another one
  auto store = EmbeddedStore::create(folder_, {.num_fingerprints = 1}, options_);
  ASSERT_TRUE(store);
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE((*store)->put(views_of({document_of(std::to_string(i), i * 20)})));
    ASSERT_TRUE((*store)->checkpoint());
  }
  store->reset();
  const auto manifest = read_store_manifest(folder_);
  ASSERT_TRUE(manifest);
  ASSERT_EQ(manifest->records.size(), 30u);
  for (const RecordFiles& files : manifest->records) fs::remove(facts_path(folder_, files.log));
  const auto checked = check_store(folder_, options_);
  ASSERT_TRUE(checked);
  ASSERT_EQ(checked->faults.size(), kMostOfAKind + 1);
  EXPECT_EQ(checked->faults.back(), "and 10 more of this kind");
}

// Nothing stands behind it that would tell: MANIFEST, or the next log, says how far it went.
TEST_F(StoreRepairTest, TheEndOfAClosedLogIsMissed) {
  const auto manifest = read_store_manifest(copy_);
  ASSERT_TRUE(manifest);
  for (const RecordFiles& files : manifest->records) {
    restore();
    const std::string path = records_path(folder_, files);
    const auto bytes = read_file(path);
    ASSERT_TRUE(bytes);
    constexpr size_t kMarkBytes = 60;  // at most: a mark behind the last group, and what fills that up
    fs::resize_file(path, bytes->find_last_not_of('\0') - kMarkBytes);
    fs::resize_file(path, bytes->size());
    const auto checked = check_store(folder_, options_);
    EXPECT_TRUE(!checked || !checked->faults.empty()) << path;
    const auto repaired = repair_store(folder_, options_);
    ASSERT_TRUE(repaired) << repaired.error().message;
    EXPECT_FALSE(repaired->lost.empty()) << path;
    ASSERT_NO_FATAL_FAILURE(expect_whole(path));
  }
}

TEST_F(StoreRepairTest, ALogThatIsGoneIsMissed) {
  const auto manifest = read_store_manifest(copy_);
  ASSERT_TRUE(manifest);
  const NumberSet erased = erased_in(copy_, *manifest);
  for (const RecordFiles& files : manifest->records) {
    restore();
    const std::string path = records_path(folder_, files);
    fs::remove(path);
    const auto checked = check_store(folder_, options_);
    EXPECT_TRUE(!checked || !checked->faults.empty()) << path;
    const auto repaired = repair_store(folder_, options_);
    ASSERT_TRUE(repaired) << repaired.error().message;
    ASSERT_FALSE(repaired->lost.empty()) << path;
    EXPECT_NE(repaired->lost[0].find("is gone"), std::string::npos) << repaired->lost[0];
    uint64_t num_live = 0;
    for (uint64_t number = files.first; number < files.first + files.count; ++number)
      num_live += erased.contains(number) ? 0 : 1;
    EXPECT_EQ(repaired->lost_documents, num_live) << testing::PrintToString(repaired->lost);
    ASSERT_NO_FATAL_FAILURE(expect_whole(path));
  }
}

TEST_F(StoreRepairTest, WhatAnEarlierRepairPutAsideStays) {
  const auto num_aside = [&] {
    return std::count_if(fs::directory_iterator(folder_), fs::directory_iterator(),
                         [](const auto& entry) { return entry.path().filename().string().starts_with("damaged-"); });
  };
  for (int i = 1; i <= 3; ++i) {
    damage(fs::path(records_path(folder_, read_store_manifest(folder_)->records.front())).filename(), .02);
    ASSERT_TRUE(repair_store(folder_, options_));
    EXPECT_EQ(num_aside(), i);
  }
}

TEST_F(StoreRepairTest, ASnapshotThatFailsLeavesNoFolderOfItsOwn) {
  auto store = EmbeddedStore::open(folder_, options_);
  ASSERT_TRUE(store && (*store)->checkpoint());
  const std::string to = own_path("snapshot");
  fs::remove_all(to);
  fs::remove(folder_ + "/SETTINGS");
  EXPECT_FALSE((*store)->snapshot(to));
  EXPECT_FALSE(fs::exists(to));
  fs::create_directory(to);
  EXPECT_FALSE((*store)->snapshot(to));
  EXPECT_TRUE(fs::is_empty(to));
  fs::remove_all(to);
}

}  // namespace
}  // namespace neardup::store
