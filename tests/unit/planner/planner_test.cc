#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "neardup/hamming/plan_text.h"
#include "neardup/planner/compare_plans.h"

namespace neardup::planner {
namespace {

PlanRequest request_for(double count, int k, int num_bits = 64) {
  PlanRequest request;
  request.num_fingerprints = static_cast<uint64_t>(count);
  request.max_distance = k;
  request.num_bits = num_bits;
  return request;
}

const PlanOption& option_of(const PlanTable& table, const std::string& name) {
  const auto at = std::find_if(table.options.begin(), table.options.end(),
                               [&](const PlanOption& option) { return option.plan.name == name; });
  if (at == table.options.end()) std::abort();
  return *at;
}

TEST(ComparePlans, OffersOnlyCompletePlansForEveryDistance) {
  for (const int num_bits : {64, 128}) {
    for (int k = 0; k <= num_bits / 4; ++k) {
      for (const double count : {0.0, 1.0, 10.0, 1e4, 1e8, 1e10}) {
        const auto table = compare_plans(request_for(count, k, num_bits));
        ASSERT_TRUE(table) << table.error().message;
        ASSERT_LT(table->chosen, table->options.size());
        EXPECT_FALSE(table->reason.empty());
        for (const PlanOption& option : table->options) {
          EXPECT_EQ(option.plan.max_distance, k);
          EXPECT_EQ(option.plan.num_bits, num_bits);
          EXPECT_TRUE(hamming::check_plan(option.plan)) << option.plan.name;
          EXPECT_GE(option.cost.batch_ns, 0);
          EXPECT_GE(option.cost.single_ns, option.cost.batch_ns * 0.99);
          EXPECT_EQ(*hamming::parse_plan(option.plan.name, num_bits, k), option.plan);
        }
      }
    }
  }
}

// Manku, Jain, Das Sarma 2007, section 3.1: with 2^34 fingerprints a probe meets about 2^18 of them in a plan of 4
// tables, 2^8 in one of 10, 2^6 in one of 16.
TEST(ComparePlans, GivesTheCandidatesOfThePaper) {
  const auto table = compare_plans(request_for(17'179'869'184.0, 3));
  ASSERT_TRUE(table);
  const auto per_probe = [&](const char* name) {
    const Cost& cost = option_of(*table, name).cost;
    return cost.candidates / cost.probes;
  };
  EXPECT_DOUBLE_EQ(per_probe("permuted:4,1"), 262'144);
  EXPECT_NEAR(per_probe("permuted:5,2"), 256, 256 * 0.5) << "prefixes of 26 and 25 bits";
  EXPECT_DOUBLE_EQ(per_probe("two_level:4,4"), 64);
  EXPECT_DOUBLE_EQ(option_of(*table, "permuted:4,1").cost.probes, 4);
  EXPECT_DOUBLE_EQ(option_of(*table, "permuted:5,2").cost.probes, 10);
  EXPECT_DOUBLE_EQ(option_of(*table, "two_level:4,4").cost.probes, 16);
}

TEST(ComparePlans, KeepsWithinTheMemory) {
  PlanRequest request = request_for(1e8, 3);
  for (const double memory : {1e9, 1.5e9, 3e9, 1e10}) {
    request.memory_bytes = static_cast<uint64_t>(memory);
    const auto table = compare_plans(request);
    ASSERT_TRUE(table);
    const PlanOption& chosen = table->options[table->chosen];
    EXPECT_TRUE(chosen.fits);
    EXPECT_LE(chosen.cost.memory_bytes, memory);
    for (const PlanOption& option : table->options) {
      EXPECT_EQ(option.fits, option.cost.memory_bytes <= memory);
      if (option.fits) {
        EXPECT_GE(option.cost.batch_ns * 1.1, chosen.cost.batch_ns);
      }
    }
  }
}

TEST(ComparePlans, SharesAmongMachinesWhatDoesNotFit) {
  PlanRequest request = request_for(8e9, 3);
  request.memory_bytes = 64'000'000'000;
  const auto table = compare_plans(request);
  ASSERT_TRUE(table);
  for (const PlanOption& option : table->options) {
    EXPECT_EQ(option.fits, option.machines == 1);
    EXPECT_LE(option.share.memory_bytes, 64e9);
    if (option.fits) continue;
    EXPECT_GT(option.cost.memory_bytes, 64e9);
    EXPECT_LT(option.machines, 40U);
    EXPECT_GT(option.share.memory_bytes, 64e9 * 0.4) << option.plan.name << ": no more machines than needed";
  }
}

TEST(ComparePlans, SaysWhereNothingFits) {
  PlanRequest request = request_for(1000, 3);
  request.memory_bytes = 1;
  const auto table = compare_plans(request);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, Code::kMemory);
}

TEST(ComparePlans, RefusesWhatIsNotOffered) {
  for (const auto& [k, bits] : std::vector<std::pair<int, int>>{{17, 64}, {-1, 64}, {33, 128}, {3, 32}}) {
    const auto table = compare_plans(request_for(1000, k, bits));
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code, Code::kInvalidArgument);
  }
}

TEST(ComparePlans, PrefersFewReadsBehindANetwork) {
  PlanRequest request = request_for(1e10, 3);
  const double in_memory = option_of(*compare_plans(request), "permuted:4,1").cost.batch_ns;
  request.medium = Medium::kNetwork;
  const auto table = compare_plans(request);
  ASSERT_TRUE(table);
  EXPECT_GT(option_of(*table, "permuted:4,1").cost.batch_ns, in_memory);
  EXPECT_LE(table->options[table->chosen].cost.probes, 100);
  EXPECT_EQ(table->options[0].codec, hamming::Codec::kDelta);
}

TEST(ComparePlans, SeesASkewedSample) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> even, biased;
  for (int i = 0; i < 100'000; ++i) {
    even.push_back(random());
    biased.push_back(random() & random());
  }
  PlanRequest request = request_for(1e7, 3);
  const Cost base = option_of(*compare_plans(request), "permuted:4,1").cost;
  request.skew = Skew(std::span<const uint64_t>(even));
  EXPECT_NEAR(option_of(*compare_plans(request), "permuted:4,1").cost.candidates, base.candidates,
              base.candidates / 20);
  // Two values of a biased bit agree with probability 5/8 and not 1/2: buckets of 16 bits are 1.25^16 = 35 times
  // fuller.
  request.skew = Skew(std::span<const uint64_t>(biased));
  EXPECT_NEAR(option_of(*compare_plans(request), "permuted:4,1").cost.candidates, 35.5 * base.candidates,
              3.5 * base.candidates);
}

TEST(DefaultPlan, IsSmallInMemoryAndFast) {
  const hamming::Plan plan = default_plan(100'000'000, 64, 3);
  EXPECT_EQ(plan.tables.size(), 2U) << "two tables, a flip in each";
  EXPECT_TRUE(hamming::check_plan(plan));
  EXPECT_EQ(default_plan(0, 64, 16).max_distance, 16);
  EXPECT_TRUE(hamming::check_plan(default_plan(1000, 128, 32, 1)))
      << "memory that is too small gives the plan without limit";
}

TEST(Skew, OfAnEvenSampleIsOne) {
  EXPECT_TRUE(Skew().is_even());
  EXPECT_EQ(Skew().fullness(63, 16), 1);
  std::mt19937_64 random(1);
  std::vector<uint64_t> fingerprints(200'000);
  for (uint64_t& text_fingerprint : fingerprints) text_fingerprint = random();
  const Skew skew{std::span<const uint64_t>(fingerprints)};
  EXPECT_LE(skew.sample_size(), size_t{1} << 17);
  for (const int bits : {1, 8, 16, 24, 32, 64}) EXPECT_LT(skew.fullness(63, bits), 1.05) << bits;
  for (const hamming::TableLayout& table : hamming::permuted_plan(64, 5, 2).tables)
    EXPECT_LT(skew.fullness(table), 1.05);
}

TEST(Skew, CountsEqualFingerprintsOnce) {
  std::vector<uint64_t> fingerprints(10'000, 7);
  EXPECT_TRUE(Skew(std::span<const uint64_t>(fingerprints)).is_even());
}

TEST(Skew, SeesClusters) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> fingerprints;
  for (int cluster = 0; cluster < 100; ++cluster) {
    const uint64_t center = random();
    for (int i = 0; i < 1000; ++i)
      fingerprints.push_back(center ^ uint64_t{1} << random() % 64 ^ uint64_t{1} << random() % 64);
  }
  // Most of the 1,000 of a cluster share a prefix of 16 bits; evenly spread, 1.5 of 100,000 would.
  const Skew skew{std::span<const uint64_t>(fingerprints)};
  EXPECT_GT(skew.fullness(63, 16), 100);
}

TEST(Machine, InterpolatesBetweenWorkingSets) {
  Machine machine;
  machine.read_ns = {1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(machine.read(262'144), 1);
  EXPECT_DOUBLE_EQ(machine.read(4'194'304), 2);
  EXPECT_DOUBLE_EQ(machine.read(1'048'576), 1.5);
  EXPECT_DOUBLE_EQ(machine.read(1'073'741'824), 8);
  EXPECT_GT(machine.read(1e11), 8);
  EXPECT_GE(machine.read(0), 0.5);
}

TEST(Machine, IsReadAsItIsWritten) {
  Machine machine;
  machine.scan_ns = 0.125;
  machine.network.at_once = 7;
  const auto again = parse_machine(format_machine(machine));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(format_machine(*again), format_machine(machine));
  EXPECT_EQ(again->network.at_once, 7);
  EXPECT_EQ(parse_machine("# nothing\n\n  scan_ns = 2.5 # slow\r\n")->scan_ns, 2.5);
}

TEST(Machine, NamesTheLineThatIsWrong) {
  for (const char* text : {"scan_ns 2", "scan_ns = ", "scan_ns = -1", "scan_ns = 0", "scan_ns = 1e300", "scan_ns = nan",
                           "scan_ns = 2 3", "speed = 2", "= 2"}) {
    const auto machine = parse_machine(std::string("# first\n") + text + "\n");
    ASSERT_FALSE(machine) << text;
    EXPECT_EQ(machine.error().code, Code::kInvalidArgument);
    EXPECT_NE(machine.error().message.find("line 2"), std::string::npos) << machine.error().message;
  }
}

}  // namespace
}  // namespace neardup::planner
