#include "neardup/engine/input_commonness.h"

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

  std::string learn(CommonnessMeans means) {
    const std::vector<std::string> names = {(folder_ / "in.jsonl").string()};
    const auto inputs = corpus::discover(names, {});
    EXPECT_TRUE(inputs);
    const auto table = learn_commonness(*inputs, {}, *simhash::find_recipe("default"), means, {});
    EXPECT_TRUE(table);
    num_texts_ = (*table)->num_texts();
    return (*table)->id();
  }

  std::filesystem::path folder_;
  uint64_t num_texts_ = 0;
};

TEST_F(InputCommonness, IsTheSameInAnyMemoryForChecksums) {
  const std::string expected = learn({.memory_bytes = uint64_t{1} << 30, .num_threads = 1});
  EXPECT_EQ(num_texts_, 1000U) << "copies count once";
  for (const uint64_t texts : {64U, 65U, 500U, 999U, 1000U, 1001U}) {
    for (const int threads : {1, 3})
      EXPECT_EQ(learn({.memory_bytes = uint64_t{1} << 30, .num_threads = threads, .seen_bytes = 64 * texts}), expected)
          << texts << " texts at a time, " << threads << " threads";
    EXPECT_EQ(num_texts_, 1000U);
  }
}

}  // namespace
}  // namespace neardup::engine
