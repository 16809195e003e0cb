// Labels as a sample: what each of its units says of each setting, so that chance can be told from difference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup::evaluate {

/// What a unit, or all of them, say of a setting: weighted numbers of pairs. `same` does not depend on the setting.
struct Counts {
  double right = 0;  // accepted and duplicates
  double wrong = 0;  // accepted and none
  double same = 0;   // duplicates
  Counts& operator+=(const Counts& other) {
    right += other.right, wrong += other.wrong, same += other.same;
    return *this;
  }
};

enum class Measure { kPrecision, kRecall, kF1 };
/// Returns a share in 0..1; NaN where there is nothing to measure it by.
[[nodiscard]] double measure(Measure what, const Counts& counts);

/// Units were drawn independently of each other within their stratum: judged pairs, or clusters with all their pairs.
/// Memory: 16 bytes for each unit and setting. Threads: const members from many at once.
class Sample {
 public:
  /// Without units: nothing is known of chance.
  Sample() = default;
  /// `strata`: how many units each has; the units of a stratum follow each other.
  Sample(std::span<const uint32_t> strata, size_t num_settings);

  void add(size_t unit, size_t setting, double right, double wrong) {
    accepted_[setting * num_units_ + unit].right += right;
    accepted_[setting * num_units_ + unit].wrong += wrong;
  }
  void add_same(size_t unit, double same) { same_[unit] += same; }

  [[nodiscard]] Counts at(size_t unit, size_t setting) const {
    const Accepted& accepted = accepted_[setting * num_units_ + unit];
    return {accepted.right, accepted.wrong, same_[unit]};
  }
  /// Returns the sum over all units, in their order.
  [[nodiscard]] Counts total(size_t setting) const;
  /// Returns the sum with unit u taken times[u] times.
  [[nodiscard]] Counts total(size_t setting, std::span<const uint16_t> times) const;

  [[nodiscard]] size_t num_units() const { return num_units_; }
  [[nodiscard]] size_t num_settings() const { return num_units_ == 0 ? 0 : accepted_.size() / num_units_; }
  /// The first unit of each stratum, and num_units() at the end.
  [[nodiscard]] std::span<const uint32_t> strata() const { return strata_; }

 private:
  struct Accepted {
    double right = 0, wrong = 0;
  };
  size_t num_units_ = 0;
  std::vector<uint32_t> strata_;
  std::vector<Accepted> accepted_;  // of a setting all units
  std::vector<double> same_;        // by unit
};

}  // namespace neardup::evaluate
