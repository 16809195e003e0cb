#include "neardup/base/disk/file_id.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "tests/own_path.h"

namespace neardup {
namespace {

class FileIdTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/below");
    std::ofstream(folder_ + "/file") << "x";
    std::ofstream(folder_ + "/other") << "x";
    std::filesystem::create_hard_link(folder_ + "/file", folder_ + "/name");
    std::filesystem::create_symlink("file", folder_ + "/link");
    std::filesystem::create_directory_symlink("below", folder_ + "/below-link");
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
};

TEST_F(FileIdTest, IsThatOfTheFileWhateverItsNames) {
  const auto id = file_id(path("file"));
  ASSERT_TRUE(id);
  EXPECT_TRUE(id->is_regular);
  EXPECT_FALSE(id->is_device);
  EXPECT_EQ(file_id(path("name")), id);
  EXPECT_EQ(file_id(path("link")), id);
  EXPECT_NE(file_id(path("other")), id);
  EXPECT_FALSE(file_id(path("none")));
  EXPECT_FALSE(file_id(""));
  EXPECT_TRUE(file_id("/dev/null")->is_device);
  EXPECT_FALSE(file_id(-1));
  const std::set<FileId> ids = {*id, *file_id(path("other")), *file_id(path("link"))};
  EXPECT_EQ(ids.size(), 2U);
}

TEST_F(FileIdTest, PlacesAreOneWhateverThePathToThem) {
  EXPECT_TRUE(is_same_place(path("below/new"), path("below-link/new")));
  EXPECT_TRUE(is_same_place(path("below/../new"), path("./new")));
  EXPECT_TRUE(is_same_place(path("link"), path("file")));
  EXPECT_FALSE(is_same_place(path("name"), path("file")));  // one file, but in two places
  EXPECT_FALSE(is_same_place(path("new"), path("below/new")));
  EXPECT_TRUE(is_same_place(path("none/new"), path("none/./new")));
}

}  // namespace
}  // namespace neardup
