#include "neardup/evaluate/interval.h"

#include <algorithm>
#include <cmath>

namespace neardup::evaluate {
namespace {

constexpr double kNormal = 1.959963984540054;  // of 95 %, two-sided

// A measure as a share of its pairs: `part` of `whole`. F1 is that of the pairs that are accepted or duplicates, J:
// F1 = 2 J / (1 + J).
struct Share {
  double part = 0;
  double whole = 0;
};

Share share_of(Measure what, const Counts& counts) {
  if (what == Measure::kPrecision) return {counts.right, counts.right + counts.wrong};
  if (what == Measure::kRecall) return {counts.right, counts.same};
  return {counts.right, counts.wrong + counts.same};
}

struct Variance {
  double squares = 0;
  double freedom = 0;  // units that count, less one for each stratum
};

Variance variance_of_stratum(Measure what, const Sample& sample, size_t setting, double share, size_t begin,
                             size_t end) {
  const auto n = static_cast<double>(end - begin);
  double mean = 0, squares = 0, counting = 0;
  const auto residual = [&](size_t unit) {
    const Share at = share_of(what, sample.at(unit, setting));
    return at.part - share * at.whole;
  };
  for (size_t unit = begin; unit < end; ++unit) {
    mean += residual(unit) / n;
    counting += share_of(what, sample.at(unit, setting)).whole > 0 ? 1 : 0;
  }
  for (size_t unit = begin; unit < end; ++unit) squares += (residual(unit) - mean) * (residual(unit) - mean);
  return n < 2 ? Variance{} : Variance{squares * n / (n - 1), std::max(0.0, counting - 1)};
}

// The value that Student's t exceeds with a probability of 2.5 %: Cornish and Fisher's series, within 3 % from two
// degrees on.
double student(double freedom) {
  const double z = kNormal, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, n = freedom;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

// How many equal independent draws the weights are worth: (sum w)^2 / sum w^2.
double worth_of_weights(Measure what, const Sample& sample, size_t setting) {
  double sum = 0, squares = 0;
  for (size_t unit = 0; unit < sample.num_units(); ++unit) {
    const double whole = share_of(what, sample.at(unit, setting)).whole;
    sum += whole;
    squares += whole * whole;
  }
  return squares == 0 ? 0 : sum * sum / squares;
}

// Whether the units are draws of one kind, each of which is right or not: then the share itself tells how it varies.
bool is_plain(Measure what, const Sample& sample, size_t setting) {
  double whole = 0;
  for (size_t unit = 0; unit < sample.num_units(); ++unit) {
    const Share at = share_of(what, sample.at(unit, setting));
    if (at.whole == 0) continue;
    if (whole == 0) whole = at.whole;
    if (at.whole != whole || (at.part != 0 && at.part != at.whole)) return false;
  }
  return sample.strata().size() == 2;
}

double effective_size(Measure what, const Sample& sample, size_t setting, const Share& total) {
  const double share = total.part / total.whole;
  Variance sum;
  for (size_t stratum = 0; stratum + 1 < sample.strata().size(); ++stratum) {
    const Variance at =
        variance_of_stratum(what, sample, setting, share, sample.strata()[stratum], sample.strata()[stratum + 1]);
    sum.squares += at.squares;
    sum.freedom += at.freedom;
  }
  if (sum.squares <= 0 || sum.freedom < 1) return worth_of_weights(what, sample, setting);
  const double unsure = student(sum.freedom) / kNormal;  // of the variance itself
  return share * (1 - share) * total.whole * total.whole / sum.squares / (unsure * unsure);
}

}  // namespace

Interval wilson(double share, double count) {
  if (!(count > 0)) return {};
  const double z2 = kNormal * kNormal / count;
  const double middle = (share + z2 / 2) / (1 + z2);
  const double half = kNormal / (1 + z2) * std::sqrt(share * (1 - share) / count + z2 / (4 * count));
  return {share == 0 ? 0 : std::max(0.0, middle - half), share == 1 ? 1 : std::min(1.0, middle + half)};
}

Interval share_interval(uint64_t part, uint64_t whole) {
  return whole == 0 ? Interval{}
                    : wilson(static_cast<double>(part) / static_cast<double>(whole), static_cast<double>(whole));
}

Interval interval(Measure what, const Sample& sample, size_t setting) {
  const Share total = share_of(what, sample.total(setting));
  if (!(total.whole > 0)) return {};
  const double share = total.part / total.whole;
  const double worth = share <= 0 || share >= 1 || is_plain(what, sample, setting)
                           ? worth_of_weights(what, sample, setting)
                           : effective_size(what, sample, setting, total);
  const Interval of_share = wilson(share, worth);
  if (what != Measure::kF1) return of_share;
  return {2 * of_share.low / (1 + of_share.low), 2 * of_share.high / (1 + of_share.high)};
}

}  // namespace neardup::evaluate
