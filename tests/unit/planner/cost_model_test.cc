// What the cost model counts must follow from the plan alone; times only have to grow with what is counted.
#include "neardup/planner/cost_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "neardup/hamming/plan_text.h"

namespace neardup::planner {
namespace {

using hamming::Codec;

// Pascal's triangle: the slowest way to count masks.
double pascal(int n, int r) {
  std::vector<double> row{1};
  for (int i = 0; i < n; ++i) {
    std::vector<double> next(row.size() + 1, 1);
    for (size_t j = 1; j < row.size(); ++j) next[j] = row[j - 1] + row[j];
    row = next;
  }
  return r <= n ? row[static_cast<size_t>(r)] : 0;
}

struct CostCase {
  const char* plan;
  int num_bits;
  int max_distance;
};

constexpr CostCase kCostPlans[] = {{"scan", 64, 3},
                                   {"permuted:4,1", 64, 3},
                                   {"permuted:5,2", 64, 3},
                                   {"permuted:6,3", 64, 3},
                                   {"two_level:4,4", 64, 3},
                                   {"flips:26/1,26/1", 64, 3},
                                   {"flips:20/3,20/3", 64, 7},
                                   {"permuted:8,1", 128, 7},
                                   {"flips:30/2,30/2,30/1", 128, 7}};

hamming::Plan plan_of(const CostCase& given) {
  auto plan = hamming::parse_plan(given.plan, given.num_bits, given.max_distance);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

Workload workload_for(const CostCase& given, uint64_t count, Codec codec = Codec::kPacked,
                      Medium medium = Medium::kRam) {
  return {count, given.num_bits, given.max_distance, codec, medium};
}

Cost cost_of(const CostCase& given, uint64_t count, Codec codec = Codec::kPacked, Medium medium = Medium::kRam) {
  return plan_cost(plan_of(given), workload_for(given, count, codec, medium), Machine(), Skew());
}

constexpr Codec kCodecs[] = {Codec::kPacked, Codec::kPlain, Codec::kDelta};
constexpr Medium kMedia[] = {Medium::kRam, Medium::kSsd, Medium::kNetwork};

TEST(CostModel, ProbesAreTheMasksOfAllTables) {
  for (const CostCase& given : kCostPlans) {
    double masks = 0;
    for (const hamming::TableLayout& table : plan_of(given).tables)
      for (int flips = 0; flips <= table.flips; ++flips) masks += pascal(table.prefix_bits, flips);
    for (const Codec codec : kCodecs) EXPECT_DOUBLE_EQ(cost_of(given, 1'000'000, codec).probes, masks) << given.plan;
  }
}

TEST(CostModel, CandidatesOfEvenFingerprintsAreTheirShareOfEachBucket) {
  constexpr uint64_t kCount = 1 << 24;
  for (const CostCase& given : kCostPlans) {
    double expected = 0;
    for (const hamming::TableLayout& table : plan_of(given).tables)
      expected += hamming::num_probes(table) * std::ldexp(static_cast<double>(kCount), -table.prefix_bits);
    EXPECT_NEAR(cost_of(given, kCount).candidates, expected, 1e-9 * expected) << given.plan;
  }
}

TEST(CostModel, APlanIsItsTablesAndABeginning) {
  for (const CostCase& given : kCostPlans) {
    for (const Codec codec : kCodecs) {
      const hamming::Plan plan = plan_of(given);
      const Workload workload = workload_for(given, 5'000'000, codec);
      const Cost whole = plan_cost(plan, workload, Machine(), Skew());
      Cost sum;
      for (size_t t = 0; t < plan.tables.size(); ++t) {
        const Cost one = table_cost(workload, Machine(), part_of(plan, t, workload, Skew()));
        sum.bytes += one.bytes, sum.memory_bytes += one.memory_bytes, sum.batch_ns += one.batch_ns;
        sum.single_ns += one.single_ns, sum.build_seconds += one.build_seconds, sum.reads += one.reads;
        sum.confirmations += one.confirmations;
      }
      EXPECT_DOUBLE_EQ(whole.bytes, sum.bytes);
      EXPECT_DOUBLE_EQ(whole.memory_bytes, sum.memory_bytes);
      EXPECT_DOUBLE_EQ(whole.build_seconds, sum.build_seconds);
      EXPECT_DOUBLE_EQ(whole.reads, sum.reads);
      EXPECT_DOUBLE_EQ(whole.confirmations, sum.confirmations);
      EXPECT_GT(whole.batch_ns, sum.batch_ns);
      EXPECT_NEAR(whole.batch_ns - sum.batch_ns, whole.single_ns - sum.single_ns, 1e-3 * whole.batch_ns);
    }
  }
}

TEST(CostModel, EveryFigureIsANumberAndNoneIsNegative) {
  for (const CostCase& given : kCostPlans) {
    for (const uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{1000}, uint64_t{1} << 40}) {
      for (const Codec codec : kCodecs) {
        for (const Medium medium : kMedia) {
          const Cost cost = cost_of(given, count, codec, medium);
          for (const double figure :
               {cost.bytes_per_fingerprint, cost.bytes, cost.memory_bytes, cost.probes, cost.reads, cost.candidates,
                cost.confirmations, cost.single_ns, cost.batch_ns, cost.build_seconds}) {
            EXPECT_TRUE(std::isfinite(figure)) << given.plan << " " << count;
            EXPECT_GE(figure, 0) << given.plan << " " << count;
          }
        }
      }
    }
  }
}

TEST(CostModel, MoreFingerprintsNeverCostLess) {
  for (const CostCase& given : kCostPlans) {
    for (const Codec codec : kCodecs) {
      Cost before;
      for (uint64_t count = 1; count < uint64_t{1} << 36; count *= 4) {
        const Cost cost = cost_of(given, count, codec);
        EXPECT_GE(cost.bytes, before.bytes) << given.plan << " " << count;
        EXPECT_GE(cost.candidates, before.candidates);
        EXPECT_GE(cost.build_seconds, before.build_seconds);
        before = cost;
      }
    }
  }
}

TEST(CostModel, WhatLiesElsewhereIsNotInMemory) {
  for (const CostCase& given : kCostPlans) {
    for (const Codec codec : kCodecs) {
      const Cost ram = cost_of(given, 100'000'000, codec);
      EXPECT_DOUBLE_EQ(ram.memory_bytes, ram.bytes);
      for (const Medium medium : {Medium::kSsd, Medium::kNetwork}) {
        const Cost other = cost_of(given, 100'000'000, codec, medium);
        EXPECT_DOUBLE_EQ(other.bytes, ram.bytes) << "the same tables";
        EXPECT_LT(other.memory_bytes, ram.memory_bytes / 2) << "only directories";
        EXPECT_GE(other.single_ns, Machine().storage(medium).latency_ns) << "not even one read is for nothing";
      }
    }
  }
}

TEST(CostModel, AFasterMachineIsFaster) {
  Machine fast;
  for (double& ns : fast.read_ns) ns /= 2;
  for (double& ns : fast.overlapped_ns) ns /= 2;
  fast.compute_ns /= 2, fast.scan_ns /= 2, fast.sort_ns /= 2;
  for (const CostCase& given : kCostPlans) {
    const Workload workload = workload_for(given, 50'000'000);
    const Cost slow = plan_cost(plan_of(given), workload, Machine(), Skew());
    const Cost half = plan_cost(plan_of(given), workload, fast, Skew());
    EXPECT_NEAR(half.batch_ns, slow.batch_ns / 2, 1e-6 * slow.batch_ns) << given.plan << ": all constants count";
    EXPECT_NEAR(half.build_seconds, slow.build_seconds / 2, 1e-6 * slow.build_seconds);
    EXPECT_EQ(half.bytes, slow.bytes);
  }
}

TEST(CostModel, EveryBucketCostsItsReading) {
  for (const Codec codec : kCodecs) {
    const Workload workload{1'000'000, 64, 7, codec, Medium::kRam};
    for (int flips = 0; flips < 3; ++flips) {
      const Cost few = table_cost(workload, Machine(), {24, flips, false, 2, 1});
      const Cost many = table_cost(workload, Machine(), {24, flips + 1, false, 2, 1});
      EXPECT_GT(many.batch_ns - few.batch_ns, (many.reads - few.reads) * 4 * Machine().compute_ns)
          << "each read some pieces of arithmetic at least";
      Machine no_waits;
      no_waits.read_ns = no_waits.overlapped_ns = {1e-9, 1e-9, 1e-9, 1e-9};
      EXPECT_GT(table_cost(workload, no_waits, {24, flips + 1, false, 2, 1}).batch_ns,
                (many.reads - few.reads) * 4 * Machine().compute_ns)
          << "also where memory costs nothing";
    }
  }
}

TEST(CostModel, FullerBucketsHoldMoreCandidates) {
  const Workload workload{1'000'000, 64, 3, Codec::kPacked, Medium::kRam};
  const TablePart even{16, 1, false, 2, 1}, full{16, 1, false, 2, 8};
  const Cost a = table_cost(workload, Machine(), even), b = table_cost(workload, Machine(), full);
  EXPECT_DOUBLE_EQ(b.candidates, 8 * a.candidates);
  EXPECT_EQ(b.probes, a.probes);
  EXPECT_EQ(b.bytes, a.bytes);
  EXPECT_GT(b.batch_ns, a.batch_ns);
}

TEST(CostModel, TheFirstTableHoldsTheRecords) {
  const Workload workload{1'000'000, 64, 3, Codec::kPacked, Medium::kRam};
  const Cost first = table_cost(workload, Machine(), {16, 1, true, 2, 1});
  const Cost other = table_cost(workload, Machine(), {16, 1, false, 2, 1});
  EXPECT_GE(first.bytes - other.bytes, 1'000'000 * 20 / 8.0) << "at least a document number of 20 bits each";
  EXPECT_LE(first.batch_ns, other.batch_ns) << "what another table finds must be looked up in the first";
  EXPECT_GT(first.build_seconds, other.build_seconds);
}

TEST(PartOf, SaysOfATableWhatThePlanSays) {
  const hamming::Plan plan = *hamming::parse_plan("flips:26/1,24/1", 64, 3);
  const Workload workload{1'000'000, 64, 3, Codec::kPacked, Medium::kRam};
  const TablePart first = part_of(plan, 0, workload, Skew()), second = part_of(plan, 1, workload, Skew());
  EXPECT_TRUE(first.is_first);
  EXPECT_FALSE(second.is_first);
  EXPECT_EQ(first.prefix_bits, 26);
  EXPECT_EQ(second.prefix_bits, 24);
  EXPECT_EQ(second.flips, 1);
  EXPECT_EQ(second.num_tables, 2);
  EXPECT_EQ(first.fullness, 1);
  EXPECT_EQ(first.word_bits, 32);
  EXPECT_TRUE(second.word_bits == 24 || second.word_bits == 32);
}

TEST(PartOf, AsksTheSkewForTheTablesPrefix) {
  std::vector<uint64_t> fingerprints;
  for (uint64_t i = 0; i < 4096; ++i) fingerprints.push_back(i * 0x9e3779b97f4a7c15 >> 8);  // the upper byte is empty
  const Skew skew{std::span<const uint64_t>(fingerprints)};
  const hamming::Plan plan = *hamming::parse_plan("permuted:8,1", 64, 7);
  const Workload workload{1'000'000, 64, 7, Codec::kPacked, Medium::kRam};
  double fullest = 0;
  for (size_t t = 0; t < plan.tables.size(); ++t) {
    const TablePart part = part_of(plan, t, workload, skew);
    EXPECT_DOUBLE_EQ(part.fullness, skew.fullness(plan.tables[t]));
    fullest = std::max(fullest, part.fullness);
  }
  EXPECT_NEAR(fullest, 256, 5) << "all in one bucket of 256";
}

}  // namespace
}  // namespace neardup::planner
