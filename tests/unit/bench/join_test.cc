#include "neardup/bench/join.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/own_path.h"

namespace neardup::bench {
namespace {

TEST(JoinBench, FindsTheSamePairsOnAnyNumberOfThreads) {
  JoinBench options;
  options.count = 50'000;
  options.num_threads = 1;
  const auto one = run_join_bench(options);
  options.num_threads = 3;
  const auto three = run_join_bench(options);
  ASSERT_TRUE(one && three);
  EXPECT_GT(one->pairs, 1000U);
  EXPECT_EQ(one->pairs, three->pairs);
  EXPECT_EQ(one->digest, three->digest);
  EXPECT_EQ(three->num_threads, 3);
  EXPECT_GT(one->seconds, 0);
  EXPECT_GT(one->peak_bytes, options.count * 8);
}

TEST(JoinBench, AStreamFindsWhatWasPlanted) {
  JoinBench options;
  options.count = 100'000;
  const std::string path = own_path();
  const auto first = run_stream_bench(options, 1000, path), second = run_stream_bench(options, 1000, path);
  ASSERT_TRUE(first && second) << first.error().message;
  EXPECT_GT(first->pairs, 200U);
  EXPECT_EQ(first->digest, second->digest);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace neardup::bench
