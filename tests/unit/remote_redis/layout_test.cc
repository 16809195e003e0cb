// Which lists a store on Redis has, by how many documents are expected.
#include "neardup/remote/redis/layout.h"

#include <gtest/gtest.h>

#include <cmath>

namespace neardup::remote::redis {
namespace {

LayoutNumbers chosen(const store::StoreSettings& settings, uint64_t expected) {
  RemoteUri uri;
  uri.options["expect"] = std::to_string(expected);
  const auto numbers = Layout::choose(settings, uri);
  EXPECT_TRUE(numbers) << numbers.error().message;
  EXPECT_TRUE(numbers && Layout::check(settings, *numbers)) << expected;
  return numbers ? *numbers : LayoutNumbers{};
}

TEST(RedisLayout, NoListIsLongWhereAsManyAreThereAsExpected) {
  for (const int distance : {0, 1, 3, 5}) {
    store::StoreSettings settings{.num_fingerprints = 1, .max_distance = distance};
    for (uint64_t expected = 1'000; expected <= 1'000'000'000; expected *= 10) {
      const LayoutNumbers numbers = chosen(settings, expected);
      const double entries = static_cast<double>(expected) / std::exp2(numbers.bucket_bits);
      const double keys = 2 * static_cast<double>(expected) / std::exp2(numbers.key_bits);
      EXPECT_LE(entries, 1'000) << distance << ' ' << expected;
      EXPECT_LE(keys, 256) << distance << ' ' << expected;
    }
  }
}

// Of stores of two keys a document and of 64: how many others a document's keys seem to lead to.
TEST(RedisLayout, FewAreShownWhoHaveAnotherKey) {
  for (const uint32_t num_fingerprints : {0U, 1U}) {
    const double keys = num_fingerprints == 0 ? 64 : 2;
    for (uint64_t expected = 1'000; expected <= 10'000'000'000; expected *= 10) {
      const LayoutNumbers numbers = chosen({.num_fingerprints = num_fingerprints}, expected);
      const double values = std::exp2(numbers.key_bits + 8 * numbers.key_value_bytes);
      EXPECT_LE(keys * keys * static_cast<double>(expected) / values, 0.07) << num_fingerprints << ' ' << expected;
    }
  }
}

TEST(RedisLayout, TablesAreFourUntilTheirListsAreLong) {
  const store::StoreSettings settings{.num_fingerprints = 1};
  EXPECT_EQ(chosen(settings, 10'000'000).choose, 1U);
  EXPECT_EQ(chosen(settings, 100'000'000).choose, 2U);
  EXPECT_EQ(chosen(settings, 10'000'000).bucket_bits, 16U);
  EXPECT_EQ(chosen(settings, 100'000'000).bucket_bits, 20U);
}

}  // namespace
}  // namespace neardup::remote::redis
