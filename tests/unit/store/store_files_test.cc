// A store whose folder is not as it was left: files that were cut, and files of a process that was killed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "neardup/store/embedded_store.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {
namespace {

namespace fs = std::filesystem;

class StoreFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    fs::remove_all(folder_);
    const StoreSettings settings{.num_fingerprints = 1};
    auto made = EmbeddedStore::create(folder_, settings);
    ASSERT_TRUE(made);
    for (int i = 0; i < 200; ++i) {
      const OwnedRecord document = document_of("d" + std::to_string(i), i * 20);
      const Record view = document.view();
      ASSERT_TRUE((*made)->put({&view, 1}));
      if (i == 100 || i == 180) {
        ASSERT_TRUE((*made)->checkpoint());
      }
      const std::string_view ids[] = {"d7"};
      if (i == 90) {
        ASSERT_TRUE((*made)->erase(ids));
      }
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> names(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string folder_;
  ByNumber judge_;
};

// Whatever is cut before the store is opened: an error that says so, when it is opened or asked; never a signal. But
// the end of the last log may be what a crash took, zeros stand behind logs, times and tags are read when they are
// asked for, SETTINGS by a repair.
TEST_F(StoreFilesTest, WhateverIsCutIsAnError) {
  const std::string copy = folder_ + "-cut";
  for (const std::string& name : names(folder_)) {
    if (name == "LOCK" || name == "SETTINGS" || name.ends_with(".facts")) continue;
    const uint64_t size = fs::file_size(folder_ + "/" + name);
    for (const uint64_t left : {uint64_t{0}, uint64_t{1}, size / 2, size - 1}) {
      for (const bool verify : {true, false}) {
        fs::remove_all(copy);
        fs::copy(folder_, copy);
        fs::resize_file(copy + "/" + name, left);
        StoreOptions options;
        options.verify = verify;
        const auto store = EmbeddedStore::open(copy, options);
        bool is_told = !store;
        if (!store) {
          EXPECT_NE(store.error().message.find(copy), std::string::npos) << store.error().message;
        }
        for (int i = 0; store && i < 200; ++i) {
          const OwnedRecord document = document_of("other", i * 20);
          const Record view = document.view();
          const auto answers = (*store)->check({&view, 1}, judge_);
          is_told = is_told || !answers || (answers->at(0).fate.kind == Kind::kNew && i > 180);
        }
        EXPECT_TRUE(is_told || (name.ends_with(".log") && left >= size / 2)) << name << " " << left;
      }
    }
  }
  fs::remove_all(copy);
}

TEST_F(StoreFilesTest, FilesOfAKilledProcessGo) {
  const std::vector<std::string> before = names(folder_);
  for (const char* name : {"MANIFEST.tmp77-1", "log-000009.log.tmp77-2", "keys-000044.ndx.tmp77-3", "keys-000044.ndx",
                           "segment-000071.ndx", "log-000001.places.tmp1-1"})
    std::ofstream(folder_ + "/" + name) << "half";
  std::ofstream(folder_ + "/notes.tmp77-1") << "not ours";
  ASSERT_TRUE(EmbeddedStore::open(folder_));
  EXPECT_TRUE(fs::exists(folder_ + "/notes.tmp77-1"));
  for (const std::string& name : names(folder_))
    EXPECT_TRUE(name.starts_with("notes") || name.find(".tmp") == std::string::npos) << name;
  EXPECT_FALSE(fs::exists(folder_ + "/keys-000044.ndx"));
}

}  // namespace
}  // namespace neardup::store
