#include "neardup/evaluate/sample.h"

#include <limits>
#include <numeric>

namespace neardup::evaluate {
namespace {

double quotient(double part, double whole) {
  return whole == 0 ? std::numeric_limits<double>::quiet_NaN() : part / whole;
}

}  // namespace

double measure(Measure what, const Counts& counts) {
  switch (what) {
    case Measure::kPrecision:
      return quotient(counts.right, counts.right + counts.wrong);
    case Measure::kRecall:
      return quotient(counts.right, counts.same);
    case Measure::kF1:
      break;
  }
  return quotient(2 * counts.right, counts.right + counts.wrong + counts.same);
}

Sample::Sample(std::span<const uint32_t> strata, size_t num_settings) : strata_(strata.size() + 1) {
  std::partial_sum(strata.begin(), strata.end(), strata_.begin() + 1);
  num_units_ = strata_.back();
  accepted_.resize(num_units_ * num_settings);
  same_.resize(num_units_);
}

Counts Sample::total(size_t setting) const {
  Counts sum;
  for (size_t unit = 0; unit < num_units_; ++unit) sum += at(unit, setting);
  return sum;
}

Counts Sample::total(size_t setting, std::span<const uint16_t> times) const {
  Counts sum;
  for (size_t unit = 0; unit < num_units_; ++unit) {
    const Counts counts = at(unit, setting);
    const double n = times[unit];
    sum += {n * counts.right, n * counts.wrong, n * counts.same};
  }
  return sum;
}

}  // namespace neardup::evaluate
