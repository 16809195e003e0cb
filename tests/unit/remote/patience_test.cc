// When somebody else finishes what one began.
#include "neardup/remote/patience.h"

#include <gtest/gtest.h>

namespace neardup::remote {
namespace {

using std::chrono::seconds;

TEST(PatienceTest, EndsOnceForOneAndBeginsAnew) {
  Patience patience;
  const Patience::Clock::time_point begin{};
  for (const int second : {0, 3, 9}) EXPECT_FALSE(patience.is_over(begin + seconds(second)));
  EXPECT_TRUE(patience.is_over(begin + seconds(10)));
  EXPECT_FALSE(patience.is_over(begin + seconds(11)));
  EXPECT_FALSE(patience.is_over(begin + seconds(20)));
  EXPECT_TRUE(patience.is_over(begin + seconds(22)));
}

TEST(PatienceTest, WhatWasNotSeenForLongIsOtherWork) {
  Patience patience;
  const Patience::Clock::time_point begin{};
  EXPECT_FALSE(patience.is_over(begin));
  EXPECT_FALSE(patience.is_over(begin + seconds(30)));
  EXPECT_TRUE(patience.is_over(begin + seconds(40)));
}

}  // namespace
}  // namespace neardup::remote
