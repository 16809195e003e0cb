// What two signatures say about the similarity of their sets.
#include "neardup/fingerprint/signature.h"

#include <gtest/gtest.h>

namespace neardup::fingerprint {
namespace {

TEST(Signature, SizesAreMultiplesOfTheStep) {
  EXPECT_TRUE(is_signature_size(16));
  EXPECT_TRUE(is_signature_size(kDefaultSignatureValues));
  EXPECT_TRUE(is_signature_size(1024));
  for (const int size : {-16, 0, 8, 100, 1040}) EXPECT_FALSE(is_signature_size(size)) << size;
}

TEST(Signature, ChanceIsTakenOutOfTheEstimate) {
  EXPECT_EQ(estimated_jaccard(0, 128), 0);
  EXPECT_DOUBLE_EQ(estimated_jaccard(128, 128), 1);
  EXPECT_LT(estimated_jaccard(64, 128), 0.5);
  EXPECT_NEAR(estimated_jaccard(64, 128), 0.5, 1e-5);
  // The expected share of equal values at similarity J gives J back: 65536 values of which J + (1 - J) / 65536 agree.
  EXPECT_NEAR(estimated_jaccard(1, 65536), 0, 1e-15);
}

TEST(Signature, ErrorIsThatOfIndependentValues) {
  EXPECT_NEAR(jaccard_error(0.5, 128), 0.0442, 1e-4);
  EXPECT_NEAR(jaccard_error(0.9, 128), 0.0265, 1e-4);
  EXPECT_NEAR(jaccard_error(0.5, 512), 0.0221, 1e-4);
  EXPECT_EQ(jaccard_error(1, 128), 0);
}

}  // namespace
}  // namespace neardup::fingerprint
