// The table of ids: readers beside the one who writes it.
#include "neardup/store/id_table.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <future>

#include "tests/own_path.h"

namespace neardup::store {
namespace {

TEST(IdTable, ReadersDoNotWaitForTheDisk) {
  const std::string path = own_path();
  IdTable table({}, {});
  EXPECT_EQ(table.add("a"), 0u);
  EXPECT_EQ(table.add("b"), 1u);
  table.erase(0);
  std::future<std::string> answer;
  uint64_t next_file = 1;
  const auto files = table.write(next_file, [&](uint64_t) {
    if (answer.valid()) return path;
    answer = std::async(std::launch::async, [&] { return table.id(1); });
    EXPECT_EQ(answer.wait_for(std::chrono::seconds(30)), std::future_status::ready);
    return path;
  });
  ASSERT_TRUE(files);
  EXPECT_EQ(answer.get(), "b");
  EXPECT_EQ(files->size(), 1u);
  EXPECT_EQ(table.find("b"), 1u);
  EXPECT_EQ(table.find("a"), std::nullopt);
  EXPECT_EQ(table.next_document(), 2u);
  EXPECT_EQ(table.num_live(), 1u);
  EXPECT_FALSE(table.changed());
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace neardup::store
