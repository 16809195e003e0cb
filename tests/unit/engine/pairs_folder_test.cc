#include "neardup/engine/fingerprints/pairs_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/own_path.h"

namespace neardup::engine {
namespace {

class PairsFolderTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(work_); }
  const std::string work_ = own_path();
};

bool is_there(const std::string& path) { return std::filesystem::exists(path); }

TEST_F(PairsFolderTest, AStoppedRunGoesOnWithItsFiles) {
  const std::string path = PairsFolder::open(work_, "files\n")->path();
  std::filesystem::create_directories(path + "/column-0");
  std::ofstream(path + "/column-0/pairs") << "finished";
  std::ofstream(path + "/column-0/pairs.tmp1-1") << "half";
  EXPECT_EQ(PairsFolder::open(work_, "other files\n").error().code, Code::kMismatch);
  ASSERT_TRUE(PairsFolder::open(work_, "files\n"));
  EXPECT_TRUE(is_there(path + "/column-0/pairs"));
  EXPECT_FALSE(is_there(path + "/column-0/pairs.tmp1-1"));
}

// Some of its files are gone, and what says that others are finished may not be.
TEST_F(PairsFolderTest, WhatADoneRunLeftIsNotGoneOnWith) {
  const std::string path = PairsFolder::open(work_, "files\n")->path();
  std::filesystem::create_directories(path + "/column-0");
  std::ofstream(path + "/column-0/pairs-done") << "1\n";
  std::filesystem::rename(path + "/run", path + "/done");  // as remove() does first of all
  auto again = PairsFolder::open(work_, "files\n");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(is_there(path + "/column-0"));
  EXPECT_FALSE(is_there(path + "/done"));
  ASSERT_TRUE(again->remove());
  EXPECT_FALSE(is_there(path));
}

}  // namespace
}  // namespace neardup::engine
