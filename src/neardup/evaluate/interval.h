// How far a share may be off by chance.
#pragma once

#include <cstdint>

#include "neardup/evaluate/sample.h"

namespace neardup::evaluate {

/// Where a value lies with a probability of 95 %.
struct Interval {
  double low = 0;
  double high = 1;
  bool operator==(const Interval&) const = default;
};

/// Returns the interval of a share that was seen in `count` independent draws (a real number: it may be an effective
/// size); 0..1 where `count` is 0. Source: Wilson, Probable inference, JASA 22 (1927); with the effective size of a
/// sample by strata and clusters: Korn and Graubard, Survey Methodology 24 (1998).
[[nodiscard]] Interval wilson(double share, double count);
/// The same of `part` of `whole` pairs.
[[nodiscard]] Interval share_interval(uint64_t part, uint64_t whole);

/// Returns the interval of a measure of one setting: Wilson's, of as many draws as would vary as much as the sample
/// does, with its strata, weights and clusters (variance of a ratio by linearisation, by Student's t where units are
/// few); where all or none of the pairs are right, and nothing varies, of as many as their weights are worth (Kish).
/// For pairs that are drawn one by one and weigh the same it is Wilson's itself.
[[nodiscard]] Interval interval(Measure what, const Sample& sample, size_t setting);

}  // namespace neardup::evaluate
