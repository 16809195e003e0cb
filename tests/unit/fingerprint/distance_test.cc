#include <gtest/gtest.h>

#include "neardup/fingerprint/value.h"

namespace neardup::fingerprint {
namespace {

TEST(Distance, CountsDifferingBits) {
  EXPECT_EQ(distance(0, 0), 0);
  EXPECT_EQ(distance(0, ~uint64_t{0}), 64);
  EXPECT_EQ(distance(0b1011, 0b0010), 2);
  for (int bit = 0; bit < kNumBits; ++bit) EXPECT_EQ(distance(42, 42 ^ (uint64_t{1} << bit)), 1);
}

}  // namespace
}  // namespace neardup::fingerprint
