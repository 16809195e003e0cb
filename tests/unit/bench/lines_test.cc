#include "neardup/bench/lines.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/own_path.h"

namespace neardup::bench {
namespace {

std::vector<std::string> families_of(const std::vector<Measurement>& measured) {
  std::vector<std::string> families;
  for (const Measurement& m : measured) families.push_back(m.family);
  return families;
}

TEST(LinesBench, MeasuresEachWayOverTheSameLines) {
  const auto measured = measure_lines({.inputs = {}, .count = 2'200'000, .num_threads = 2, .context = {}});
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_EQ(families_of(*measured), (std::vector<std::string>{"disk", "fast", "bytes"}));
  for (const Measurement& m : *measured) {
    EXPECT_EQ(m.count, 2'200'000U) << m.family;
    EXPECT_EQ(m.num_threads, 2) << m.family;
    EXPECT_GT(m.bytes_per_item, 48) << m.family;
    EXPECT_LT(m.bytes_per_item, 82) << m.family;
    EXPECT_GT(m.mb_per_second, 0) << m.family;
  }
}

TEST(LinesBench, OfASmallFileNothingGoesToTheDisk) {
  const std::string path = own_path("lines.txt");
  std::ofstream(path) << "a\nb\na\n";
  const auto measured = measure_lines({.inputs = {path}, .count = 0, .num_threads = 1, .context = {}});
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_EQ(families_of(*measured), (std::vector<std::string>{"fast", "bytes"}));
  EXPECT_EQ(measured->at(0).count, 3U);
  std::filesystem::remove(path);
  EXPECT_EQ(measure_lines({.inputs = {path}, .count = 0, .num_threads = 1, .context = {}}).error().code,
            Code::kNotFound);
}

}  // namespace
}  // namespace neardup::bench
