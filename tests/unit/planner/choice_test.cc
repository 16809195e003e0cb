// Which plan is chosen, against the rule in compare_plans.h applied to the whole table; sharing; and the skew of a set
// against the count of all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <random>

#include "neardup/hamming/plan_text.h"
#include "neardup/planner/planner.h"

namespace neardup::planner {
namespace {

struct ChoiceCase {
  double count;
  int max_distance;
  double memory;
  Medium medium = Medium::kRam;
  int num_bits = 64;
};

class PlanChoice : public ::testing::TestWithParam<ChoiceCase> {
 protected:
  PlanChoice() {
    request_.num_fingerprints = static_cast<uint64_t>(GetParam().count);
    request_.max_distance = GetParam().max_distance;
    request_.memory_bytes = static_cast<uint64_t>(GetParam().memory);
    request_.medium = GetParam().medium;
    request_.num_bits = GetParam().num_bits;
  }
  PlanRequest request_;
};

// The price that the rule names; infinite where an option is out of the race.
double price_by_the_rule(const PlanRequest& request, const PlanTable& table, const PlanOption& option) {
  const bool any_fits = std::ranges::any_of(table.options, &PlanOption::fits);
  if (request.memory_bytes == 0) return option.cost.bytes_per_fingerprint * option.cost.batch_ns;
  if (!any_fits) return static_cast<double>(option.machines) * option.share.batch_ns;
  return option.fits ? option.cost.batch_ns : std::numeric_limits<double>::infinity();
}

TEST_P(PlanChoice, IsTheSmallestOfThoseNearTheLeastPrice) {
  const auto table = compare_plans(request_);
  ASSERT_TRUE(table) << table.error().message;
  double least = std::numeric_limits<double>::infinity();
  for (const PlanOption& option : table->options) least = std::min(least, price_by_the_rule(request_, *table, option));
  const PlanOption& chosen = table->options[table->chosen];
  EXPECT_LE(price_by_the_rule(request_, *table, chosen), 1.1 * least);
  for (const PlanOption& option : table->options) {
    const bool is_near = price_by_the_rule(request_, *table, option) <= 1.1 * least;
    EXPECT_TRUE(!is_near || option.cost.bytes >= chosen.cost.bytes) << option.plan.name;
  }
  EXPECT_NE(table->reason.find(chosen.plan.name), std::string::npos) << table->reason;
  EXPECT_TRUE(table->reason.ends_with('.'));
}

TEST_P(PlanChoice, TablesAscendAndNoPlanComesTwice) {
  const auto table = compare_plans(request_);
  ASSERT_TRUE(table);
  const auto tables_of = [](const PlanOption& option) { return option.plan.tables.size(); };
  EXPECT_TRUE(std::ranges::is_sorted(table->options, {}, tables_of));
  for (size_t i = 0; i < table->options.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_NE(table->options[i].plan.tables, table->options[j].plan.tables);
}

TEST_P(PlanChoice, SharesHoldAllAndEachFits) {
  const auto table = compare_plans(request_);
  ASSERT_TRUE(table);
  for (const PlanOption& option : table->options) {
    EXPECT_GE(option.machines, 1U);
    if (option.fits) {
      EXPECT_EQ(option.machines, 1U);
      EXPECT_EQ(option.share.bytes, option.cost.bytes);
      continue;
    }
    EXPECT_LE(option.share.memory_bytes, GetParam().memory);
    EXPECT_GE(option.share.bytes_per_fingerprint * GetParam().count, 0.5 * option.cost.bytes);
  }
}

TEST_P(PlanChoice, WholeTablesAreSharedWhereOneFits) {
  const auto table = compare_plans(request_);
  ASSERT_TRUE(table);
  for (const PlanOption& option : table->options) {
    const auto share = share_by_table(request_, option);
    if (request_.memory_bytes == 0 || option.fits) {
      EXPECT_FALSE(share);
      continue;
    }
    const Workload workload{request_.num_fingerprints, request_.num_bits, request_.max_distance, option.codec,
                            request_.medium};
    double largest = 0, all = 0;
    for (size_t t = 0; t < option.plan.tables.size(); ++t) {
      const TablePart part = part_of(option.plan, t, workload, request_.skew);
      const double bytes = table_cost(workload, request_.machine, part).memory_bytes;
      largest = std::max(largest, bytes), all += bytes;
    }
    ASSERT_EQ(share.has_value(), largest <= GetParam().memory) << option.plan.name;
    if (!share) continue;
    EXPECT_LE(share->bytes, GetParam().memory);
    EXPECT_GE(share->bytes, largest);
    EXPECT_GE(static_cast<double>(share->machines) * share->bytes, all * (1 - 1e-9)) << "nothing is left out";
    EXPECT_GE(share->machines * share->tables_each, option.plan.tables.size());
    EXPECT_GE(share->machines, 2U);
  }
}

TEST_P(PlanChoice, EqualRequestsGiveEqualPlans) {
  const auto table = compare_plans(request_), again = compare_plans(request_);
  ASSERT_TRUE(table && again);
  EXPECT_EQ(table->chosen, again->chosen);
  EXPECT_EQ(table->reason, again->reason);
  if (GetParam().medium == Medium::kRam) {
    EXPECT_EQ(default_plan(request_.num_fingerprints, request_.num_bits, request_.max_distance, request_.memory_bytes),
              table->options[table->chosen].plan);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, PlanChoice,
                         ::testing::Values(ChoiceCase{0, 3, 0}, ChoiceCase{1e6, 3, 0}, ChoiceCase{1e8, 3, 1.2e9},
                                           ChoiceCase{1e9, 3, 4e9}, ChoiceCase{1e9, 6, 1e9}, ChoiceCase{3e9, 10, 64e9},
                                           ChoiceCase{1e8, 3, 0, Medium::kSsd}, ChoiceCase{1e9, 3, 1e9, Medium::kSsd},
                                           ChoiceCase{1e10, 3, 0, Medium::kNetwork},

                                           ChoiceCase{1e8, 12, 1e9, Medium::kRam, 128}));

TEST(PlanRequestAlso, IsComparedToo) {
  PlanRequest request;
  request.num_fingerprints = 1'000'000;
  request.also = {*hamming::parse_plan("flips:11/1,13/1", 64, 3)};
  const auto table = compare_plans(request);
  ASSERT_TRUE(table);
  const auto is_it = [](const PlanOption& option) { return option.plan.name == "flips:11/1,13/1"; };
  EXPECT_EQ(std::ranges::count_if(table->options, is_it), 1);
  request.also.clear();
  const size_t known = compare_plans(request)->options.size();
  request.also = {hamming::permuted_plan(64, 4, 1), hamming::permuted_plan(64, 4, 1)};
  EXPECT_EQ(compare_plans(request)->options.size(), known) << "what is known is not added again";
}

TEST(PlanRequestAlso, OfAnotherWidthOrDistanceIsRefusedByName) {
  for (const hamming::Plan& plan : {hamming::permuted_plan(128, 4, 1), hamming::permuted_plan(64, 5, 1)}) {
    PlanRequest request;
    request.also = {plan};
    const auto table = compare_plans(request);
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code, Code::kInvalidArgument);
    EXPECT_EQ(table.error().message, "the plan " + plan.name + " is for another width or distance");
  }
}

TEST(PlanRequestAlso, ThatIsNotCompleteIsRefused) {
  PlanRequest request;
  hamming::Plan plan = hamming::permuted_plan(64, 4, 1);
  plan.tables.pop_back();
  request.also = {plan};
  const auto table = compare_plans(request);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, Code::kInvalidArgument);
}

TEST(PlanRequestCodec, IsThatOfTheMediumUnlessGiven) {
  PlanRequest request;
  request.num_fingerprints = 1'000'000;
  const auto codec = [&request] { return compare_plans(request)->options[0].codec; };
  EXPECT_EQ(codec(), hamming::Codec::kPacked);
  request.medium = Medium::kSsd;
  EXPECT_EQ(codec(), hamming::Codec::kDelta);
  request.codec = hamming::Codec::kPlain;
  EXPECT_EQ(codec(), hamming::Codec::kPlain);
}

// All pairs that share the prefix, over those that even spread would give.
double fullness_by_pairs(const std::vector<uint64_t>& fingerprints, int top, int bits) {
  const auto prefix = [&](uint64_t value) {
    return bits == 64 ? value : value >> (top + 1 - bits) & ((uint64_t{1} << bits) - 1);
  };
  double pairs = 0;
  for (size_t i = 0; i < fingerprints.size(); ++i)
    for (size_t j = 0; j < i; ++j) pairs += prefix(fingerprints[i]) == prefix(fingerprints[j]);
  const auto size = static_cast<double>(fingerprints.size());
  return pairs / std::ldexp(size * (size - 1) / 2, -bits);
}

TEST(SkewOfASet, IsTheRatioOfPairsThatShareAPrefix) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 12; ++round) {
    std::vector<uint64_t> fingerprints;
    for (int i = 0; i < 600; ++i) fingerprints.push_back(random() & random() & random() & 0xfffffffffffffff0);
    std::ranges::sort(fingerprints);
    fingerprints.erase(std::ranges::unique(fingerprints).begin(), fingerprints.end());
    const Skew skew{std::span<const uint64_t>(fingerprints)};
    EXPECT_EQ(skew.sample_size(), fingerprints.size());
    for (const auto& [top, bits] : std::vector<std::pair<int, int>>{{63, 8}, {63, 12}, {40, 6}, {20, 16}, {9, 10}}) {
      const double expected = fullness_by_pairs(fingerprints, top, bits);
      EXPECT_NEAR(skew.fullness(top, bits), expected, 1e-9 * expected) << top << " " << bits;
    }
  }
}

TEST(SkewOfASet, ATablesPrefixIsThatOfItsOrder) {
  std::mt19937_64 random(12);
  std::vector<uint64_t> fingerprints;
  for (int i = 0; i < 3000; ++i) fingerprints.push_back(random() & random());
  const Skew skew{std::span<const uint64_t>(fingerprints)};
  const hamming::Plan plan = hamming::permuted_plan(64, 8, 1);
  for (size_t t = 0; t < plan.tables.size(); ++t) {
    const int top = plan.tables[t].order[0], bits = plan.tables[t].prefix_bits;
    for (int i = 0; i < bits; ++i) ASSERT_EQ(plan.tables[t].order[static_cast<size_t>(i)], top - i);
    EXPECT_DOUBLE_EQ(skew.fullness(plan.tables[t]), skew.fullness(top, bits));
  }
}

TEST(SkewOfASet, IsNeverBelowOneAndOneWithoutAPrefix) {
  std::mt19937_64 random(13);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{100}}) {
    std::vector<uint64_t> fingerprints(size);
    for (uint64_t& fingerprint : fingerprints) fingerprint = random();
    const Skew skew{std::span<const uint64_t>(fingerprints)};
    EXPECT_EQ(skew.is_even(), size < 2);
    EXPECT_EQ(skew.fullness(63, 0), 1);
    for (int bits = 1; bits <= 64; ++bits) EXPECT_GE(skew.fullness(63, bits), 1);
  }
}

TEST(SkewOfASet, DoesNotDependOnTheOrderNorOnRepetition) {
  std::mt19937_64 random(14);
  std::vector<uint64_t> fingerprints(500);
  for (uint64_t& fingerprint : fingerprints) fingerprint = random() & random();
  const double before = Skew(std::span<const uint64_t>(fingerprints)).fullness(63, 8);
  fingerprints.insert(fingerprints.end(), fingerprints.begin(), fingerprints.begin() + 250);
  std::ranges::shuffle(fingerprints, random);
  EXPECT_DOUBLE_EQ(Skew(std::span<const uint64_t>(fingerprints)).fullness(63, 8), before);
}

TEST(SkewOfASet, KeepsASampleOfALargeOne) {
  std::vector<fingerprint::Fingerprint128> wide(300'000);
  for (size_t i = 0; i < wide.size(); ++i) wide[i] = fingerprint::Fingerprint128{i} << 64 | i;
  const Skew skew{std::span<const fingerprint::Fingerprint128>(wide)};
  EXPECT_LE(skew.sample_size(), size_t{1} << 17);
  EXPECT_GE(skew.sample_size(), size_t{1} << 16);
  EXPECT_GT(skew.fullness(127, 16), 60'000) << "the upper bits are empty";
}

TEST(MachineFile, EveryConstantIsNamedAndComesBack) {
  Machine machine;
  double next = 1.5;
  for (double& ns : machine.read_ns) ns = next++;
  for (double& ns : machine.overlapped_ns) ns = next++;
  for (double* value : {&machine.compute_ns, &machine.scan_ns, &machine.sort_ns, &machine.ssd.latency_ns,
                        &machine.ssd.at_once, &machine.ssd.bytes_per_second, &machine.network.latency_ns,
                        &machine.network.at_once, &machine.network.bytes_per_second})
    *value = next++;
  const auto again = parse_machine(format_machine(machine));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->read_ns, machine.read_ns);
  EXPECT_EQ(again->overlapped_ns, machine.overlapped_ns);
  EXPECT_EQ(again->compute_ns, machine.compute_ns);
  EXPECT_EQ(again->sort_ns, machine.sort_ns);
  EXPECT_EQ(again->ssd.at_once, machine.ssd.at_once);
  EXPECT_EQ(again->network.bytes_per_second, machine.network.bytes_per_second);
  EXPECT_EQ(parse_machine("")->sort_ns, Machine().sort_ns) << "what is not named keeps its default";
}

TEST(MachineFile, NumbersFromTenToTheFifteenthOnAreRefused) {
  EXPECT_TRUE(parse_machine("sort_ns = 9.99e14"));
  EXPECT_FALSE(parse_machine("sort_ns = 1e15"));
  EXPECT_FALSE(parse_machine("sort_ns = inf"));
  EXPECT_TRUE(parse_machine("sort_ns = 1e-300"));
}

TEST(MachineReads, GrowWithTheWorkingSet) {
  const Machine machine;
  double read = 0, overlapped = 0;
  for (double bytes = 1; bytes < 1e14; bytes *= 1.7) {
    EXPECT_GE(machine.read(bytes), read);
    EXPECT_GE(machine.overlapped(bytes), overlapped);
    read = machine.read(bytes), overlapped = machine.overlapped(bytes);
    EXPECT_GT(overlapped, 0);
  }
  for (size_t i = 0; i < machine.kWorkingSets.size(); ++i)
    EXPECT_DOUBLE_EQ(machine.overlapped(machine.kWorkingSets[i]), machine.overlapped_ns[i]);
}

TEST(MachineStorage, IsThatOfTheMedium) {
  const Machine machine;
  EXPECT_EQ(&machine.storage(Medium::kSsd), &machine.ssd);
  EXPECT_EQ(&machine.storage(Medium::kNetwork), &machine.network);
}

TEST(Calibrate, EndsWhereItIsCancelled) {
  const std::atomic<bool> cancel = true;
  const auto machine = calibrate(4 << 20, Context{.cancel = &cancel});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code, Code::kCancelled);
}

TEST(Calibrate, NeedsTheTwoSmallestWorkingSets) {
  const auto machine = calibrate((4 << 20) - 1, Context());
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code, Code::kMemory);
  EXPECT_EQ(machine.error().message, "a calibration needs 4 MiB of memory");
}

}  // namespace
}  // namespace neardup::planner
