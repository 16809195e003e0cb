#include "neardup/planner/spark_shuffle.h"

#include <gtest/gtest.h>

namespace neardup::planner {
namespace {

ShuffleRequest request_for(uint64_t documents, uint64_t text_bytes, double candidates) {
  ShuffleRequest request;
  request.num_documents = documents;
  request.text_bytes = text_bytes;
  request.num_candidates = candidates;
  return request;
}

double bytes_of(const ShuffleRequest& request) { return sum_bytes(spark_shuffle(request)); }

TEST(SparkShuffle, TheSumIsThatOfTheStages) {
  double sum = 0;
  for (const ShuffleTerm& term : spark_shuffle(request_for(1000, 3000, 2))) {
    EXPECT_FALSE(term.name.empty());
    EXPECT_GT(term.bytes, 0) << term.name;
    sum += term.bytes;
  }
  EXPECT_EQ(sum, bytes_of(request_for(1000, 3000, 2)));
}

TEST(SparkShuffle, GrowsWithTheDocumentsAndWithWhatEachHas) {
  EXPECT_DOUBLE_EQ(bytes_of(request_for(2000, 3000, 1)), 2 * bytes_of(request_for(1000, 3000, 1)));
  EXPECT_GT(bytes_of(request_for(1000, 6000, 1)), bytes_of(request_for(1000, 3000, 1)));
  EXPECT_GT(bytes_of(request_for(1000, 3000, 2)), bytes_of(request_for(1000, 3000, 1)));
  EXPECT_EQ(bytes_of(request_for(0, 3000, 1)), 0);
}

// Texts are moved once, and bodies of about .7 of their size: docs/spark.md.
TEST(SparkShuffle, LongTextsAreMovedAsOftenAsThePageSays) {
  const double bytes = bytes_of(request_for(1, 1'000'000, 0)) / 1e6;
  EXPECT_GT(bytes, 1);
  EXPECT_LT(bytes, 2);
}

TEST(SparkShuffle, WithoutFamiliesThereAreFewerKeys) {
  ShuffleRequest request = request_for(1000, 3000, 1);
  const double with_families = bytes_of(request);
  request.num_family_keys = 0;
  EXPECT_LT(bytes_of(request), with_families);
}

}  // namespace
}  // namespace neardup::planner
