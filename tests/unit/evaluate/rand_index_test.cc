#include "neardup/evaluate/rand_index.h"

#include <gtest/gtest.h>

#include <vector>

namespace neardup::evaluate {
namespace {

// Two clusters of three against a cut of 2, 1 + 1 and 2: worked by hand from the contingency table
//   1a 2 0 0      sum of C(n_ij, 2) = 1 + 1 = 2; rows 3 + 3 pairs; columns 1 + 1 + 1 pairs; all 15
//   1b 0 1 1 ...  (2 - 6 * 3 / 15) / ((6 + 3) / 2 - 6 * 3 / 15) = .8 / 3.3
TEST(RandIndex, IsTheFigureWorkedByHand) {
  const std::vector<uint32_t> labels = {0, 0, 0, 1, 1, 1};
  RandIndex index(labels);
  index.unite(0, 1);
  index.unite(2, 3);
  index.unite(4, 5);
  EXPECT_NEAR(index.value(), 0.8 / 3.3, 1e-12);
}

TEST(RandIndex, IsOneForEqualPartitionsAndZeroForChance) {
  const std::vector<uint32_t> labels = {7, kNoLabel, 7, 9, 9, 9};
  RandIndex index(labels);
  EXPECT_EQ(index.value(), 0);  // everybody alone
  index.unite(0, 2);
  index.unite(5, 3);
  index.unite(3, 4);
  EXPECT_EQ(index.value(), 1);
  index.unite(3, 5);  // again
  EXPECT_EQ(index.value(), 1);
  index.unite(0, 1);
  EXPECT_LT(index.value(), 1);
  index.unite(0, 5);  // all in one cluster
  EXPECT_EQ(index.value(), 0);
}

TEST(RandIndex, AgreementWorseThanChanceIsNegative) {
  const std::vector<uint32_t> labels = {0, 0, 1, 1};
  RandIndex index(labels);
  index.unite(0, 2);
  index.unite(1, 3);
  EXPECT_NEAR(index.value(), (0 - 2.0 * 2 / 6) / (2 - 2.0 * 2 / 6), 1e-12);
}

TEST(RandIndex, TrivialPartitionsAgree) {
  EXPECT_EQ(RandIndex(std::vector<uint32_t>()).value(), 1);
  const std::vector<uint32_t> alone(4, kNoLabel);
  EXPECT_EQ(RandIndex(alone).value(), 1);
}

}  // namespace
}  // namespace neardup::evaluate
