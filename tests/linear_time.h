// Time that grows with the input and no faster, told apart from what machines do to clocks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/cpu_seconds.h"
#include "tests/quickest.h"

namespace neardup {

/// Returns the CPU time of `call()`, the least of three.
template <class Call>
double least_cpu_seconds(const Call& call) {
  double least = 1e9;
  for (int run = 0; run < 3; ++run) {
    const double before = cpu_seconds();
    call();
    least = std::min(least, cpu_seconds() - before);
  }
  return least;
}

/// Expects that `large()` takes less than `times` the CPU time of `small()` and a tenth of a second. A busy machine may
/// be slow during one of them alone: then both run again.
template <class Small, class Large>
void expect_time_within(double times, const Small& small, const Large& large, const std::string& what) {
  constexpr double kSlack = 0.1;  // seconds, of the clock and of memory that is first touched
  double once = 0;
  const double too_much = quickest(0.0, [&] {
    once = least_cpu_seconds(small);
    return least_cpu_seconds(large) - (times * once + kSlack);
  });
  EXPECT_LT(too_much, 0) << what << ": " << once << " s for the small one";
}

/// Expects that `work(make(size))` takes linear time: an input of 16 times the size takes less than 64 times as long.
/// Page faults and caches make 16 times up to 30; quadratic time is 256 times.
template <class Make, class Work>
void expect_linear_time(size_t size, const Make& make, const Work& work, const std::string& what) {
  const auto small = make(size), large = make(16 * size);
  expect_time_within(
      64, [&] { work(small); }, [&] { work(large); }, what);
}

}  // namespace neardup
