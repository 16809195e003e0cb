#include "neardup/base/near_match.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace neardup {
namespace {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("dedup", "dedpu"), 1);  // a swap
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("--distance", "--distnce"), 1);
}

RC_GTEST_PROP(EditDistance, IsSymmetricAndBounded, (const std::string& a, const std::string& b)) {
  const int distance = edit_distance(a, b);
  RC_ASSERT(distance == edit_distance(b, a));
  RC_ASSERT(distance <= static_cast<int>(std::max(a.size(), b.size())));
  RC_ASSERT(distance >= std::abs(static_cast<int>(a.size()) - static_cast<int>(b.size())));
  RC_ASSERT((distance == 0) == (a == b));
}

TEST(NearMatch, FindsWhatWasMeant) {
  const std::vector<std::string> words = {"dedup", "fingerprint", "explain", "pairs", "help"};
  EXPECT_EQ(near_match("dedpu", words), "dedup");
  EXPECT_EQ(near_match("finger", words), "fingerprint");
  EXPECT_EQ(near_match("explian", words), "explain");
  EXPECT_EQ(near_match("pair", words), "pairs");
  EXPECT_EQ(near_match("serve", words), "");
  EXPECT_EQ(near_match("", words), "");
}

TEST(NearMatch, TwoContinuationsAreNoAnswer) {
  const std::vector<std::string> words = {"--text-key", "--text"};
  EXPECT_EQ(near_match("--text-", words), "--text-key");
  EXPECT_EQ(near_match("--tex", words), "--text");  // the nearer one
}

}  // namespace
}  // namespace neardup
