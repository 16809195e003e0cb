// When somebody else finishes what one began.
#include "neardup/remote/takeover_timer.h"

#include <gtest/gtest.h>

namespace neardup::remote {
namespace {

using std::chrono::seconds;

TEST(PatienceTest, EndsOnceForOneAndBeginsAnew) {
  TakeoverTimer takeover_timer;
  const TakeoverTimer::Clock::time_point begin{};
  for (const int second : {0, 3, 9}) EXPECT_FALSE(takeover_timer.is_over(begin + seconds(second)));
  EXPECT_TRUE(takeover_timer.is_over(begin + seconds(10)));
  EXPECT_FALSE(takeover_timer.is_over(begin + seconds(11)));
  EXPECT_FALSE(takeover_timer.is_over(begin + seconds(20)));
  EXPECT_TRUE(takeover_timer.is_over(begin + seconds(22)));
}

TEST(PatienceTest, WhatWasNotSeenForLongIsOtherWork) {
  TakeoverTimer takeover_timer;
  const TakeoverTimer::Clock::time_point begin{};
  EXPECT_FALSE(takeover_timer.is_over(begin));
  EXPECT_FALSE(takeover_timer.is_over(begin + seconds(30)));
  EXPECT_TRUE(takeover_timer.is_over(begin + seconds(40)));
}

}  // namespace
}  // namespace neardup::remote
