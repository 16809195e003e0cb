// Every kernel of the intersection against std::set_intersection.
#include "neardup/verify/intersect.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <random>
#include <vector>

namespace neardup::verify::intersect_test {
namespace {

struct Random {
  explicit Random(uint32_t seed) : engine(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine()); }
  std::mt19937 engine;
};

using Set = std::vector<uint32_t>;

void expect_agreement(const Set& a, const Set& b, size_t needed) {
  Set common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  const size_t found = count_common(a, b, needed);
  if (common.size() >= needed) {
    ASSERT_EQ(found, common.size()) << a.size() << " " << b.size() << " " << needed;
  } else {
    ASSERT_LT(found, needed) << a.size() << " " << b.size();
  }
  Set elements = {1, 2, 3};  // what was there before must not matter
  find_common(a, b, 0, elements);
  for (uint32_t& place : elements) place = a.at(place);
  ASSERT_EQ(elements, common) << a.size() << " " << b.size();
  find_common(a, b, needed, elements);
  for (uint32_t& place : elements) place = a.at(place);
  if (common.size() >= needed) {
    ASSERT_EQ(elements, common) << a.size() << " " << b.size() << " " << needed;
  } else {
    ASSERT_LT(elements.size(), needed) << a.size() << " " << b.size();
  }
}

Set subset(uint32_t bits) {
  Set set;
  for (uint32_t i = 0; i < 32; ++i) {
    if (bits >> i & 1) set.push_back(i * 0x7ffffffU);
  }
  return set;
}

Set random_set(Random& random, size_t size, uint32_t universe) {
  Set set(size);
  for (uint32_t& element : set) element = universe == 0 ? random() : random() % universe;
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

class Intersect : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

TEST_P(Intersect, AllSubsetsOfEight) {
  for (uint32_t a = 0; a < 256; ++a) {
    for (uint32_t b = 0; b < 256; ++b) expect_agreement(subset(a), subset(b), (a ^ b) % 10);
  }
}

TEST_P(Intersect, RandomSubsetsOfThirtyTwo) {
  Random random(5);
  for (int i = 0; i < 20'000; ++i) {
    const uint32_t a = (random() | random());
    const uint32_t b = i % 3 == 0 ? random() : a & (random() | random() | random());
    expect_agreement(subset(a), subset(b), random() % 33);
  }
}

TEST_P(Intersect, RandomSetsOfAllSizes) {
  Random random(6);
  for (int i = 0; i < 3000; ++i) {
    const uint32_t universe = i % 2 == 0 ? 0 : 1 + random() % 3000;
    const Set a = random_set(random, random() % 900, universe);
    Set b = random_set(random, random() % (i % 5 == 0 ? 12 : 900), universe);
    for (const uint32_t element : a) {
      if (random() % 3 != 0) b.push_back(element);
    }
    if (i % 7 == 0) b.resize(b.size() / 64);
    std::sort(b.begin(), b.end());
    b.erase(std::unique(b.begin(), b.end()), b.end());
    expect_agreement(a, b, 0);
    expect_agreement(b, a, random() % 900);
  }
}

TEST_P(Intersect, GallopsThroughVeryDifferentSizes) {
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    const Set large = random_set(random, 5000, i % 2 == 0 ? 0 : 8000);
    Set small = random_set(random, random() % 40, 0);
    for (int k = 0; k < 20; ++k) small.push_back(large[random() % large.size()]);
    if (i % 3 == 0) small.push_back(large.back());
    std::sort(small.begin(), small.end());
    small.erase(std::unique(small.begin(), small.end()), small.end());
    expect_agreement(small, large, 0);
    expect_agreement(large, small, random() % 40);
  }
}

std::vector<int64_t> targets() {
  std::vector<int64_t> all;
  for (int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) all.push_back(rest & -rest);
  return all;
}
INSTANTIATE_TEST_SUITE_P(EachTarget, Intersect, testing::ValuesIn(targets()),
                         [](const testing::TestParamInfo<int64_t>& instance) {
                           return std::string(hwy::TargetName(instance.param));
                         });

}  // namespace
}  // namespace neardup::verify::intersect_test
