#include "neardup/planner/spark_shuffle.h"

#include <gtest/gtest.h>

namespace neardup::planner {
namespace {

ShuffleRequest shuffle_for(uint64_t documents, uint64_t text_bytes, double candidates) {
  ShuffleRequest request;
  request.num_documents = documents;
  request.text_bytes = text_bytes;
  request.num_candidates = candidates;
  return request;
}

double shuffled_bytes(const ShuffleRequest& request) { return sum_bytes(spark_shuffle(request)); }

TEST(SparkShuffle, TheSumIsThatOfTheStages) {
  double sum = 0;
  for (const ShuffleTerm& term : spark_shuffle(shuffle_for(1000, 3000, 2))) {
    EXPECT_FALSE(term.name.empty());
    EXPECT_GT(term.bytes, 0) << term.name;
    sum += term.bytes;
  }
  EXPECT_EQ(sum, shuffled_bytes(shuffle_for(1000, 3000, 2)));
}

TEST(SparkShuffle, GrowsWithTheDocumentsAndWithWhatEachHas) {
  EXPECT_DOUBLE_EQ(shuffled_bytes(shuffle_for(2000, 3000, 1)), 2 * shuffled_bytes(shuffle_for(1000, 3000, 1)));
  EXPECT_GT(shuffled_bytes(shuffle_for(1000, 6000, 1)), shuffled_bytes(shuffle_for(1000, 3000, 1)));
  EXPECT_GT(shuffled_bytes(shuffle_for(1000, 3000, 2)), shuffled_bytes(shuffle_for(1000, 3000, 1)));
  EXPECT_EQ(shuffled_bytes(shuffle_for(0, 3000, 1)), 0);
}

// Texts are not moved; what is counted of a token is less than its text: docs/spark.md.
TEST(SparkShuffle, OfLongTextsOnlyCountsAreMoved) {
  const double bytes = shuffled_bytes(shuffle_for(1, 1'000'000, 0)) / 1e6;
  EXPECT_GT(bytes, 0.05);
  EXPECT_LT(bytes, 0.3);
}

}  // namespace
}  // namespace neardup::planner
