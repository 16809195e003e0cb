#include "neardup/fingerprint/made_up.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace neardup::fingerprint {
namespace {

TEST(MadeUpFingerprints, AreTheSameEveryTime) {
  for (const Spread spread : {Spread::kUniform, Spread::kClustered, Spread::kBiased}) {
    const auto set = make_fingerprints(5000, spread, 3);
    EXPECT_EQ(set.size(), 5000U);
    EXPECT_EQ(set, make_fingerprints(5000, spread, 3));
    EXPECT_NE(set, make_fingerprints(5000, spread, 4));
  }
}

TEST(MadeUpFingerprints, AreBiasedWhereAskedFor) {
  const auto set = make_fingerprints(20000, Spread::kBiased, 3);
  int far_from_half = 0;
  for (int bit = 0; bit < 64; ++bit) {
    int ones = 0;
    for (const uint64_t value : set) ones += static_cast<int>(value >> bit & 1);
    EXPECT_GT(ones, 0.27 * 20000);
    EXPECT_LT(ones, 0.73 * 20000);
    far_from_half += std::abs(ones - 10000) > 1000;
  }
  EXPECT_GT(far_from_half, 30);
}

}  // namespace
}  // namespace neardup::fingerprint
