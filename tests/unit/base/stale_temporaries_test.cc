#include "neardup/base/disk/stale_temporaries.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/temporary_folder.h"
#include "tests/own_path.h"

namespace neardup {
namespace {

class StaleTemporaries : public testing::Test {
 protected:
  TemporaryFolder folder_ = *TemporaryFolder::create(own_path());
  std::string path_ = folder_.path() + "/a.idf";
  std::vector<std::string> names() const { return *list_folder(folder_.path()); }
};

TEST_F(StaleTemporaries, OfAKilledProcessGo) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = AtomicFile::create(path_);
    _exit(file && file->write("half") ? 0 : 1);  // as if killed: nothing is tidied
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  ASSERT_EQ(names().size(), 1U);
  ASSERT_TRUE(remove_stale_temporaries(path_));
  EXPECT_TRUE(names().empty());
}

TEST_F(StaleTemporaries, OfOneAtWorkStays) {
  auto file = *AtomicFile::create(path_);
  ASSERT_TRUE(remove_stale_temporaries(path_));
  EXPECT_EQ(names().size(), 1U);
  ASSERT_TRUE(file.commit());
  EXPECT_EQ(names(), std::vector<std::string>{"a.idf"});
}

TEST_F(StaleTemporaries, OtherNamesStay) {
  const std::vector<std::string> others = {"a.idf",        "a.idf.tmp",    "a.idf.tmp1",
                                           "a.idf.tmp1-x", "a.idf.tmpx-1", "b.idf.tmp1-1"};
  for (const std::string& name : others) ASSERT_TRUE(write_file_atomically(folder_.path() + "/" + name, "x"));
  ASSERT_TRUE(remove_stale_temporaries(path_));
  EXPECT_EQ(names(), others);
}

}  // namespace
}  // namespace neardup
