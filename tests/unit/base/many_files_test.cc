#include "neardup/base/disk/many_files.h"

#include <gtest/gtest.h>

#include "neardup/base/disk/file.h"
#include "tests/own_path.h"

namespace neardup {
namespace {

TEST(ManyFiles, AreWhatWasWritten) {
  const std::string folder = own_path();
  ASSERT_TRUE(remove_all(folder));
  ASSERT_TRUE(create_directories(folder));
  ASSERT_TRUE(write_file_unsynced(folder + "/a", "something longer"));
  ASSERT_TRUE(write_file_unsynced(folder + "/a", "short"));
  ASSERT_TRUE(write_file_unsynced(folder + "/b", ""));
  ASSERT_TRUE(sync_file_system(folder));
  EXPECT_EQ(read_file(folder + "/a").value(), "short");
  EXPECT_EQ(read_file(folder + "/b").value(), "");
}

TEST(ManyFiles, FailuresAreTold) {
  const std::string missing = own_path("missing") + "/a";
  const Status status = write_file_unsynced(missing, "x");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find(missing), std::string::npos) << status.error().message;
  EXPECT_FALSE(sync_file_system(missing));
  EXPECT_EQ(write_file_unsynced("/dev/full", "x").error().code, Code::kDiskFull);
}

}  // namespace
}  // namespace neardup
