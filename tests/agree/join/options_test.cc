// What must not change the answer: the memory limit, the instruction set, the number of threads. And what stops a join.
#include <atomic>
#include <chrono>
#include <thread>

#include "neardup/fingerprint/made_up.h"
#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"
#include "neardup/join/parts.h"
#include "neardup/match/kernels.h"
#include "tests/agree/join/linear_scan.h"
#include "tests/cpu_seconds.h"

namespace neardup::join {
namespace {

TEST(Options, SmallMemoryGivesTheSamePairs) {
  const Set set = random_set(10000, 5, 1);
  const Set hot = clustered_set(5000, 5000, 20, 2);
  for (const Set& one : {set, hot}) {
    const Pairs expected = linear_self_join(one, 5);
    for (const int threads : {1, 3}) {
      const uint64_t whole = working_bytes(one.size(), 0, threads), least = working_bytes(1024, 1024, threads);
      for (const uint64_t memory : {whole, whole - 1, (whole + least) / 2, least}) {
        JoinOptions options = options_for(5, threads);
        options.memory_bytes = memory;
        expect_same(expected, fast_self_join(one, options), "memory " + std::to_string(memory));
      }
    }
  }
}

TEST(Options, SmallMemoryGivesTheSamePairsBetweenSets) {
  const Set left = random_set(7000, 4, 3);
  Set right = random_set(9000, 4, 4);
  for (size_t i = 0; i < left.size(); i += 3) right.push_back(left[i] ^ (i & 0x1010));
  const Pairs expected = linear_cross_join(left, right, 4);
  for (const uint64_t part : {1024, 2500, 5000}) {
    JoinOptions options = options_for(4, 2);
    options.memory_bytes = working_bytes(part, part, 2);
    expect_same(expected, fast_cross_join(left, right, options), "part " + std::to_string(part));
  }
}

TEST(Options, TooLittleMemorySaysWhatItTakes) {
  JoinOptions options = options_for(3, 2);
  options.memory_bytes = 1000;
  const Status status = self_join(random_set(100, 3, 1), options, [](auto, int) { return Status(); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kMemory);
  EXPECT_NE(status.error().message.find("takes at least"), std::string::npos);
}

TEST(Options, DistanceOutsideIsRefused) {
  for (const int distance : {-1, 17}) {
    const Status status = self_join(Set{1, 2}, options_for(distance), [](auto, int) { return Status(); });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::kInvalidArgument);
  }
}

TEST(Options, EveryInstructionSetGivesTheSamePairs) {
  const Set set = random_set(20000, 3, 11);
  const Set other = random_set(700, 3, 12);
  const Pairs expected9 = linear_self_join(set, 9), expected3 = within(expected9, 3);
  const Pairs expected_cross = linear_cross_join(set, other, 16);
  for (const std::string& target : match::kernel_targets()) {
    ASSERT_TRUE(match::force_kernel_target(target));
    EXPECT_EQ(match::kernel_target(), target) << "another kernel ran than the one that was asked for";
    expect_same(expected3, fast_self_join(set, options_for(3, 2)), target);
    expect_same(expected9, fast_self_join(set, options_for(9, 2)), target);
    expect_same(expected_cross, fast_cross_join(set, other, options_for(16, 2)), target);
  }
  EXPECT_TRUE(match::force_kernel_target(""));
  EXPECT_FALSE(match::force_kernel_target("no such set"));
}

TEST(Options, MadeUpSetsAgree) {
  for (const fingerprint::Spread spread :
       {fingerprint::Spread::kUniform, fingerprint::Spread::kClustered, fingerprint::Spread::kBiased}) {
    const Set set = fingerprint::make_fingerprints(10000, spread, 7);
    const Pairs all = linear_self_join(set, 8);
    for (const int k : {3, 8}) expect_same(within(all, k), fast_self_join(set, options_for(k, 2)), "");
  }
}

TEST(Options, CancelStopsSoon) {
  const Set set = fingerprint::make_fingerprints(3'000'000, fingerprint::Spread::kUniform, 7);
  for (const int wait_ms : {0, 30, 300}) {
    std::atomic<bool> cancel = false;
    JoinOptions options = options_for(12, 2);
    options.context.cancel = &cancel;
    double asked = 0;  // of the processor, which other work on the machine does not change
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
      asked = cpu_seconds();
      cancel = true;
    });
    const Status status = self_join(set, options, [](auto, int) { return Status(); });
    const double waited = cpu_seconds();
    canceller.join();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Code::kCancelled);
    EXPECT_LT(waited - asked, 2) << "far more than it should take";
  }
}

TEST(Options, ErrorOfTheSinkComesBack) {
  const Set set = random_set(3000, 3, 1);
  std::atomic<int> calls = 0;
  const Status status = self_join(set, options_for(16, 3), [&](auto, int) -> Status {
    ++calls;
    return fail(Code::kDiskFull, "no space");
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::kDiskFull);
  EXPECT_LE(calls, 3) << "a thread whose sink failed must not call again";
}

class Recorder : public Progress {
 public:
  void begin_stage(std::string_view stage, std::string_view, uint64_t, uint64_t items) override {
    stages.emplace_back(stage);
    total = items;
  }
  void advance(uint64_t, uint64_t items) override {
    EXPECT_GE(items, last);
    last = items;
  }
  void end_stage() override { ++ends; }
  void warn(std::string_view) override {}
  std::vector<std::string> stages;
  uint64_t total = 0, last = 0;
  int ends = 0;
};

TEST(Options, ProgressReachesTheEnd) {
  const Set set = random_set(30000, 3, 1);
  for (const uint64_t memory : {uint64_t{0}, working_bytes(9000, 9000, 2)}) {
    Recorder recorder;
    JoinOptions options = options_for(6, 2);
    options.memory_bytes = memory;
    options.context.progress = &recorder;
    fast_self_join(set, options);
    EXPECT_EQ(recorder.stages, std::vector<std::string>{"join"});
    EXPECT_EQ(recorder.ends, 1);
    EXPECT_EQ(recorder.total, set.size());
    EXPECT_NEAR(static_cast<double>(recorder.last), static_cast<double>(set.size()), 60.0);
  }
}

}  // namespace
}  // namespace neardup::join
