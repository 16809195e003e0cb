// Every kernel on every instruction set of this machine gives the bits of the plain definition.
#include "neardup/simhash/kernel.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "neardup/simhash/counters.h"

namespace neardup::simhash {
namespace {

class Kernel : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

std::vector<uint64_t> random_hashes(std::mt19937_64& random, size_t count) {
  std::vector<uint64_t> hashes(count);
  for (uint64_t& hash : hashes) hash = random();
  return hashes;
}

void expect_unit_agrees(const std::vector<uint64_t>& hashes) {
  const std::vector<uint32_t> ones(hashes.size(), 1);
  const uint64_t expected = simhash_reference(hashes, ones);
  ASSERT_EQ(simhash_unit(hashes), expected) << hashes.size() << " features, " << kernel_target();
  ASSERT_EQ(simhash_unit_scalar(hashes), expected) << hashes.size() << " features";
}

void expect_weighted_agrees(const std::vector<uint64_t>& hashes, const std::vector<uint32_t>& units) {
  const uint64_t expected = simhash_reference(hashes, units);
  ASSERT_EQ(simhash_weighted(hashes, units), expected) << hashes.size() << " features, " << kernel_target();
  ASSERT_EQ(simhash_weighted_scalar(hashes, units), expected) << hashes.size() << " features";
}

TEST_P(Kernel, TheChosenOneRuns) { EXPECT_EQ(kernel_target(), std::string(hwy::TargetName(GetParam()))); }

TEST_P(Kernel, AllSetsOfThreeBitHashes) {
  // Hashes 0..7 at each of the places 0, 3, .. 60 and the top; every multiset of up to 4 of them.
  for (const int shift : {0, 3, 7, 8, 15, 30, 31, 32, 47, 60, 61}) {
    for (uint64_t code = 0; code < 8 * 8 * 8 * 8; ++code) {
      for (size_t count = 0; count <= 4; ++count) {
        std::vector<uint64_t> hashes;
        for (size_t i = 0; i < count; ++i) hashes.push_back((code >> (3 * i) & 7) << shift);
        expect_unit_agrees(hashes);
      }
    }
  }
}

TEST_P(Kernel, EverySizeAroundTheBlock) {
  std::mt19937_64 random(1);
  for (size_t count = 0; count < 1100; ++count) expect_unit_agrees(random_hashes(random, count));
}

TEST_P(Kernel, FullCountersDoNotOverflow) {
  for (const size_t count : {254, 255, 256, 509, 510, 511, 65535, 65536, 70000}) {
    expect_unit_agrees(std::vector<uint64_t>(count, ~uint64_t{0}));
    expect_unit_agrees(std::vector<uint64_t>(count, 0x8000000000000001ULL));
  }
}

TEST_P(Kernel, TiesGiveZero) {
  std::mt19937_64 random(2);
  for (size_t pairs = 1; pairs < 300; ++pairs) {
    std::vector<uint64_t> hashes = random_hashes(random, pairs);
    for (size_t i = 0; i < pairs; ++i) hashes.push_back(~hashes[i]);
    ASSERT_EQ(simhash_unit(hashes), 0U);
    ASSERT_EQ(simhash_weighted(hashes, std::vector<uint32_t>(hashes.size(), 77)), 0U);
  }
}

TEST_P(Kernel, WeightedOfAllSizes) {
  std::mt19937_64 random(3);
  for (size_t count = 0; count < 600; ++count) {
    const std::vector<uint64_t> hashes = random_hashes(random, count);
    std::vector<uint32_t> units(count);
    const int bits = static_cast<int>(random() % 20);
    for (uint32_t& unit : units) unit = static_cast<uint32_t>(random() % kMaxUnits) >> bits;
    expect_weighted_agrees(hashes, units);
  }
}

TEST_P(Kernel, GreatestWeightsDoNotOverflow) {
  std::mt19937_64 random(4);
  for (const size_t count : {4095, 4096, 4097, 8192, 8193, 50000}) {
    const std::vector<uint32_t> units(count, kMaxUnits - 1);
    expect_weighted_agrees(std::vector<uint64_t>(count, ~uint64_t{0}), units);
    expect_weighted_agrees(random_hashes(random, count), units);
  }
}

TEST_P(Kernel, EqualWeightsAreUnitWeights) {
  std::mt19937_64 random(5);
  for (size_t count = 1; count < 300; ++count) {
    const std::vector<uint64_t> hashes = random_hashes(random, count);
    ASSERT_EQ(simhash_weighted(hashes, std::vector<uint32_t>(count, 1U << 19)), simhash_unit(hashes));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Kernel, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return std::string(hwy::TargetName(target.param)); });

TEST(KernelTargets, AllDiffer) {
  std::set<std::string> names;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) names.insert(hwy::TargetName(target));
  EXPECT_EQ(names.size(), hwy::SupportedAndGeneratedTargets().size());
#if defined(__x86_64__)
  EXPECT_GE(names.size(), 2U) << "every x86-64 machine has SSE2 and SSSE3 at least";
#endif
}

}  // namespace
}  // namespace neardup::simhash
