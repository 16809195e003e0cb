#include "neardup/bench/serve_schedule.h"

#include <gtest/gtest.h>

namespace neardup::bench {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(LoadSchedule, OpenLoopPlansEvenly) {
  LoadSchedule schedule(3, 1000);
  const auto first = schedule.take_due(LoadSchedule::Time::zero());
  ASSERT_TRUE(first);
  EXPECT_EQ(first->index, 0u);
  EXPECT_FALSE(schedule.take_due(microseconds(999)));
  EXPECT_EQ(schedule.next_due(), LoadSchedule::Time(milliseconds(1)));
  const auto second = schedule.take_due(microseconds(1001));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->from, LoadSchedule::Time(milliseconds(1))) << "from its plan, not from when it was taken";
  EXPECT_TRUE(schedule.take_due(milliseconds(2)));
  EXPECT_FALSE(schedule.next_due());
  EXPECT_FALSE(schedule.take_due(milliseconds(9)));
}

TEST(LoadSchedule, ClosedLoopCountsFromTheSending) {
  LoadSchedule schedule(2, 0);
  const auto first = schedule.take_due(milliseconds(5));
  const auto second = schedule.take_due(milliseconds(7));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->from, LoadSchedule::Time(milliseconds(7)));
  schedule.answered(*first, milliseconds(6));
  schedule.answered(*second, milliseconds(10));
  EXPECT_DOUBLE_EQ(schedule.quantiles().worst, 3000);
}

// One connection, a request each millisecond, a server that answers at once but stands still from 100 to 200 ms. Sent
// are the others only afterwards: a closed loop would see one slow answer of 200, an open one sees a hundred.
TEST(LoadSchedule, WhoStandsStillIsChargedWithAllThatWasDue) {
  LoadSchedule schedule(200, 1000);
  LoadSchedule::Time now{};
  while (schedule.next_due()) {
    now = std::max(now, *schedule.next_due());
    const auto planned = schedule.take_due(now);
    ASSERT_TRUE(planned);
    if (planned->index == 100) now = milliseconds(200);
    schedule.answered(*planned, now);
  }
  EXPECT_DOUBLE_EQ(schedule.quantiles().worst, 100'000);
  EXPECT_GE(schedule.quantiles().p99, 98'000);
  EXPECT_LE(schedule.quantiles().p50, 1000) << "the half before";
}

TEST(LoadSchedule, WhatWasNeverSentCountsToo) {
  LoadSchedule schedule(10, 1000);
  schedule.answered(*schedule.take_due(milliseconds(0)), milliseconds(1));
  EXPECT_EQ(schedule.give_up(milliseconds(5)), 9u);
  EXPECT_DOUBLE_EQ(schedule.quantiles().worst, 4000)
      << "due at 1 ms, not answered by 5 ms; those of later do not count";
  EXPECT_FALSE(schedule.next_due());
}

TEST(LoadSchedule, NothingHasNoQuantiles) {
  EXPECT_EQ(LoadSchedule(0, 10).quantiles().p99, 0);
  EXPECT_FALSE(LoadSchedule(0, 10).next_due());
}

}  // namespace
}  // namespace neardup::bench
