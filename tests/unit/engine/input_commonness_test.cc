#include "neardup/engine/match/input_commonness.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace neardup::engine {
namespace {

class InputCommonness : public testing::Test {
 protected:
  InputCommonness() : folder_(std::filesystem::temp_directory_path() / fmt::format("neardup_seen_{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
    std::ofstream out(folder_ / "in.jsonl");
    for (int i = 0; i < 2000; ++i)  // each text twice
      out << fmt::format("{{\"text\":\"the harbour of {} had {} ships on the day\"}}\n", i % 1000 % 17, i % 1000);
  }
  ~InputCommonness() override { std::filesystem::remove_all(folder_); }

  Result<std::string> learn(CommonnessMeans means) {
    const std::vector<std::string> names = {(folder_ / "in.jsonl").string()};
    const auto inputs = corpus::discover(names, {});
    EXPECT_TRUE(inputs);
    const auto table = learn_commonness(*inputs, {}, *recipe::find_recipe("default"), means, {});
    if (!table) return tl::unexpected(table.error());
    num_texts_ = (*table)->num_texts();
    return (*table)->id();
  }

  std::filesystem::path folder_;
  uint64_t num_texts_ = 0;
};

TEST_F(InputCommonness, CopiesCountOnceWhateverTheThreads) {
  const std::string expected = *learn({.memory_bytes = uint64_t{1} << 30, .num_threads = 1});
  EXPECT_EQ(num_texts_, 1000U) << "copies count once";
  for (const int threads : {2, 3, 7})
    EXPECT_EQ(*learn({.memory_bytes = uint64_t{1} << 30, .num_threads = threads}), expected) << threads << " threads";
}

TEST_F(InputCommonness, TooManyTextsAreToldWithTheCure) {
  const auto table = learn({.memory_bytes = uint64_t{1} << 18, .num_threads = 2});
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, Code::kMemory);
  EXPECT_NE(table.error().message.find("--commonness"), std::string::npos) << table.error().message;
}

}  // namespace
}  // namespace neardup::engine
