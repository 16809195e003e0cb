#include "neardup/evaluate/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "neardup/base/hash.h"

namespace neardup::evaluate {
namespace {

constexpr size_t kTail = kReplicates / 40;  // replicates beyond each end of an interval of 95 %
constexpr double kNoSpread = 1e-12;

double zero_where_undefined(double value) { return std::isnan(value) ? 0 : value; }

double gain_in(Measure what, const Counts& counts, const Counts& base) {
  return zero_where_undefined(measure(what, counts)) - zero_where_undefined(measure(what, base));
}

// The replicates of each measure of a pair of settings.
struct Gains {
  std::vector<double> precision, recall, f1;
};

Gains draw_gains(const Sample& sample, size_t setting, size_t base) {
  std::vector<uint16_t> times(sample.num_units());
  Gains gains;
  for (uint32_t replicate = 0; replicate < kReplicates; ++replicate) {
    draw_units(sample.strata(), replicate, times);
    const Counts ours = sample.total(setting, times), theirs = sample.total(base, times);
    gains.precision.push_back(gain_in(Measure::kPrecision, ours, theirs));
    gains.recall.push_back(gain_in(Measure::kRecall, ours, theirs));
    gains.f1.push_back(gain_in(Measure::kF1, ours, theirs));
  }
  return gains;
}

Difference difference_of(double value, std::vector<double> gains) {
  std::sort(gains.begin(), gains.end());
  return {value, {gains[kTail], gains[gains.size() - 1 - kTail]}};
}

// F1 of each setting in each replicate: setting i's of replicate r at [i * kReplicates + r].
std::vector<double> draw_f1(const Sample& sample, std::span<const size_t> settings) {
  std::vector<double> f1(settings.size() * kReplicates);
  std::vector<uint16_t> times(sample.num_units());
  for (uint32_t replicate = 0; replicate < kReplicates; ++replicate) {
    draw_units(sample.strata(), replicate, times);
    for (size_t i = 0; i < settings.size(); ++i)
      f1[i * kReplicates + replicate] = zero_where_undefined(measure(Measure::kF1, sample.total(settings[i], times)));
  }
  return f1;
}

double deviation(std::span<const double> values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// What the luckiest of the tried settings gains on `base` by chance in each replicate, in standard errors.
struct Luck {
  explicit Luck(size_t count) : most(count, 0) {}
  void look_at(std::span<const double> f1, std::span<const double> base_f1) {
    std::vector<double> gains(f1.size());
    for (size_t i = 0; i < f1.size(); ++i) gains[i] = f1[i] - base_f1[i];
    const double mean = mean_of(gains), error = deviation(gains, mean);
    if (error < kNoSpread) return;
    for (size_t i = 0; i < gains.size(); ++i) most[i] = std::max(most[i], (gains[i] - mean) / error);
  }
  [[nodiscard]] double bound() {
    std::sort(most.begin(), most.end());
    return most[most.size() - 1 - most.size() / 20];
  }
  std::vector<double> most;
};

size_t count_different(const Sample& sample, size_t a, size_t b) {
  size_t different = 0;
  for (size_t unit = 0; unit < sample.num_units(); ++unit) {
    const Counts x = sample.at(unit, a), y = sample.at(unit, b);
    different += x.right != y.right || x.wrong != y.wrong;
  }
  return different;
}

}  // namespace

void draw_units(std::span<const uint32_t> strata, uint32_t replicate, std::span<uint16_t> times) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  std::fill(times.begin(), times.end(), uint16_t{0});
  uint64_t state = mix64((uint64_t{replicate} + 1) * kGolden);
  for (size_t stratum = 0; stratum + 1 < strata.size(); ++stratum) {
    const uint64_t first = strata[stratum], size = strata[stratum + 1] - first;
    for (uint64_t i = 0; i < size; ++i) ++times[first + ((mix64(state += kGolden) >> 32) * size >> 32)];
  }
}

std::string_view chance_text(const Comparison& compared) {
  if (compared.num_different == 0) return "no difference";
  return compared.is_beyond_chance ? "more than chance" : "may be chance";
}

Comparison compare(const Sample& sample, size_t setting, size_t base) {
  const Counts ours = sample.total(setting), theirs = sample.total(base);
  Gains gains = draw_gains(sample, setting, base);
  Comparison made;
  made.precision = difference_of(gain_in(Measure::kPrecision, ours, theirs), std::move(gains.precision));
  made.recall = difference_of(gain_in(Measure::kRecall, ours, theirs), std::move(gains.recall));
  made.f1 = difference_of(gain_in(Measure::kF1, ours, theirs), std::move(gains.f1));
  made.num_different = count_different(sample, setting, base);
  made.is_beyond_chance = made.num_different >= kLeastDifferent && made.f1.is_beyond_chance();
  return made;
}

Comparison compare_best(const Sample& sample, size_t setting, size_t base, std::span<const size_t> tried) {
  Comparison made = compare(sample, setting, base);
  made.num_tried = tried.size();
  if (!made.is_beyond_chance) return made;
  const std::vector<double> f1 = draw_f1(sample, tried), base_f1 = draw_f1(sample, std::span(&base, 1));
  Luck luck(kReplicates);
  for (size_t i = 0; i < tried.size(); ++i) luck.look_at(std::span(f1).subspan(i * kReplicates, kReplicates), base_f1);
  const std::vector<double> ours = draw_f1(sample, std::span(&setting, 1));
  std::vector<double> gains(kReplicates);
  for (size_t i = 0; i < gains.size(); ++i) gains[i] = ours[i] - base_f1[i];
  const double error = deviation(gains, mean_of(gains));
  made.is_beyond_chance = error < kNoSpread || std::abs(made.f1.value) > luck.bound() * error;
  return made;
}

}  // namespace neardup::evaluate
