#include "neardup/server/secret_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/own_path.h"

namespace neardup::server {
namespace {

TEST(SecretFile, IsThatOfWhoReadsItAlone) {
  constexpr uint32_t kUser = 1000, kGroup = 2000, kOther = 1001;
  const auto is_taken = [](const FileRights& rights, uint32_t user) {
    return check_rights("keys", rights, user).has_value();
  };
  for (const uint32_t mode : {0400U, 0600U, 0700U}) {
    EXPECT_TRUE(is_taken({kUser, kUser, mode}, kUser)) << mode;
    EXPECT_TRUE(is_taken({0, 0, mode}, kUser)) << mode;
    EXPECT_TRUE(is_taken({0, 0, mode}, 0)) << mode;
    EXPECT_FALSE(is_taken({kOther, kUser, mode}, kUser)) << mode;
    EXPECT_FALSE(is_taken({kUser, 0, mode}, 0)) << mode;
  }
  // Handed to a group by root.
  EXPECT_TRUE(is_taken({0, kGroup, 0440}, kUser));
  EXPECT_TRUE(is_taken({0, kGroup, 0640}, 0));
  EXPECT_TRUE(is_taken({0, 0, 0440}, kUser));
  EXPECT_FALSE(is_taken({0, 0, 0640}, 0));
  EXPECT_FALSE(is_taken({0, kGroup, 0660}, kUser));
  EXPECT_FALSE(is_taken({kUser, kGroup, 0640}, kUser));
  // To everybody.
  for (const uint32_t mode : {0444U, 0604U, 0602U, 0601U}) {
    EXPECT_FALSE(is_taken({0, kGroup, mode}, kUser)) << mode;
    EXPECT_FALSE(is_taken({kUser, kUser, mode}, kUser)) << mode;
  }
}

TEST(SecretFile, ItIsReadBehindLinksAsTheyAreMounted) {
  const std::string folder = own_path();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder + "/..2026");
  std::ofstream(folder + "/..2026/keys") << "a key";
  std::filesystem::create_symlink("..2026", folder + "/..data");
  std::filesystem::create_symlink("..data/keys", folder + "/keys");
  for (const auto& [mode, is_read] : {std::pair<mode_t, bool>{0400, true}, {0444, false}}) {
    ASSERT_EQ(::chmod((folder + "/..2026/keys").c_str(), mode), 0);
    const auto read = read_secret_file(folder + "/keys");
    ASSERT_EQ(read.has_value(), is_read) << mode;
    if (is_read)
      EXPECT_EQ(*read, "a key");
    else
      EXPECT_NE(read.error().message.find("chmod 600"), std::string::npos) << read.error().message;
  }
  EXPECT_EQ(read_secret_file(folder + "/none").error().code, Code::kNotFound);
  std::filesystem::remove_all(folder);
}

TEST(SecretFile, APipeIsReadToItsEnd) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "a key", 5), 5);
  ::close(ends[1]);
  EXPECT_EQ(read_secret_file("/dev/fd/" + std::to_string(ends[0])).value(), "a key");
  ::close(ends[0]);
}

}  // namespace
}  // namespace neardup::server
