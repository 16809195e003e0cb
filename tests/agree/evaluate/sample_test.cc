// Samples of judged pairs and of clusters against counting each pair under each setting.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "neardup/evaluate/bootstrap.h"
#include "neardup/evaluate/cluster_units.h"
#include "neardup/evaluate/outcomes.h"
#include "neardup/evaluate/truth.h"

namespace neardup::evaluate::sample_test {
namespace {

constexpr size_t kLevels = 4, kRules = 3;

class Dice {
 public:
  explicit Dice(uint32_t seed) : engine_(seed) {}
  uint32_t operator()(uint32_t limit) { return static_cast<uint32_t>(engine_() % limit); }

 private:
  std::mt19937 engine_;
};

// Which rule accepts two groups, and from which level on.
struct Accepted {
  uint32_t g, h;
  size_t rule;
  uint32_t level;
};

std::vector<Accepted> random_accepted(uint32_t num_groups, Dice& random) {
  std::set<std::tuple<uint32_t, uint32_t, size_t>> seen;
  std::vector<Accepted> accepted;
  for (uint32_t i = random(400); i-- > 0;) {
    const auto [g, h] = std::minmax({random(num_groups), random(num_groups)});
    const Accepted one{g, h, random(kRules), random(kLevels)};
    if (seen.insert({g, h, one.rule}).second) accepted.push_back(one);
  }
  return accepted;
}

// Whether the setting accepts two documents, by looking through the list.
bool accepts(const std::vector<Accepted>& accepted, const std::vector<uint32_t>& group_of, uint32_t a, uint32_t b,
             size_t setting) {
  const auto [g, h] = std::minmax(group_of[a], group_of[b]);
  return std::ranges::any_of(accepted, [&, g = g, h = h](const Accepted& one) {
    return one.g == g && one.h == h && one.rule == setting % kRules && one.level <= setting / kRules;
  });
}

TEST(Sample, OfJudgedPairsIsWhatCountingEachGives) {
  Dice random(21);
  for (int round = 0; round < 40; ++round) {
    const uint32_t n = 3 + random(60), num_groups = 1 + random(n), num_strata = 1 + random(3);
    std::vector<uint32_t> group_of(n);
    for (uint32_t& group : group_of) group = random(num_groups);
    std::vector<LabelledPair> pairs;
    std::set<std::pair<uint32_t, uint32_t>> listed;
    for (uint32_t i = 1 + random(3000); i-- > 0;) {
      const auto [a, b] = std::minmax({random(n), random(n)});
      if (a == b || !listed.insert({a, b}).second) continue;
      const uint8_t grade = static_cast<uint8_t>(random(4));
      pairs.push_back({a, b, grade >= 2, i, grade, static_cast<uint16_t>(random(num_strata)), 1.0 + random(5)});
    }
    if (pairs.empty()) continue;
    const auto accepted = random_accepted(num_groups, random);
    const auto truth = Truth::from_pairs(pairs, true, group_of, num_groups);
    ASSERT_TRUE(truth);
    Outcomes outcomes(*truth, kLevels, kRules);
    for (const Accepted& one : accepted) outcomes.accept(one.h, one.g, one.rule, one.level);
    const Sample sample = outcomes.sample();
    EXPECT_EQ(sample.num_units(), pairs.size() <= Outcomes::kMostUnits / 3 ? pairs.size() : sample.num_units());
    EXPECT_LE(sample.num_units(), Outcomes::kMostUnits);
    const auto slices = outcomes.slices();
    for (size_t setting = 0; setting < kLevels * kRules; ++setting) {
      Counts expected;
      std::map<std::pair<int, int>, uint64_t> found;
      for (const LabelledPair& pair : pairs) {
        const bool is_found = accepts(accepted, group_of, pair.a, pair.b, setting);
        expected += {is_found && pair.same ? pair.weight : 0, is_found && !pair.same ? pair.weight : 0,
                     pair.same ? pair.weight : 0};
        found[{pair.grade, pair.stratum}] += is_found;
      }
      const Counts total = sample.total(setting);
      ASSERT_EQ(total.right, expected.right);
      ASSERT_EQ(total.wrong, expected.wrong);
      ASSERT_EQ(total.same, expected.same);
      for (const JudgedSlice& slice : slices) ASSERT_EQ(slice.found[setting], (found[{slice.grade, slice.stratum}]));
    }
  }
}

TEST(Sample, OfClustersIsWhatCountingEachGives) {
  Dice random(22);
  for (int round = 0; round < 40; ++round) {
    const uint32_t n = 2 + random(1200), num_groups = n, num_labels = 1 + random(n);  // one document a group
    std::vector<uint32_t> group_of(n), labels(n);
    for (uint32_t i = 0; i < n; ++i) group_of[i] = i;
    for (uint32_t& label : labels) label = random(4) == 0 ? kNoLabel : random(num_labels);
    const auto accepted = random_accepted(num_groups, random);
    const Truth truth = Truth::from_clusters(labels, group_of, num_groups);
    ClusterUnits units(truth, group_of, kLevels, kRules);
    for (const Accepted& one : accepted)
      if (one.g != one.h) units.accept(one.g, one.rule, one.level, truth.between(one.g, one.h));
    const Sample sample = units.take();
    EXPECT_EQ(sample.num_units(), std::min(n, ClusterUnits::kMostUnits));
    for (size_t setting = 0; setting < kLevels * kRules; ++setting) {
      Counts expected;
      for (const Accepted& one : accepted) {
        if (one.g == one.h || one.rule != setting % kRules || one.level > setting / kRules) continue;
        const bool same = labels[one.g] == labels[one.h] && labels[one.g] != kNoLabel;
        expected += {same ? 1.0 : 0.0, same ? 0.0 : 1.0, 0};
      }
      const Counts total = sample.total(setting);
      ASSERT_EQ(total.right, expected.right);
      ASSERT_EQ(total.wrong, expected.wrong);
      ASSERT_EQ(total.same, static_cast<double>(truth.num_same()));
    }
  }
}

// Drawing pairs themselves, one by one, with another generator: the same intervals but for chance.
TEST(Bootstrap, IsThatOfDrawingThePairsThemselves) {
  Dice random(23);
  const uint32_t n = 700;
  Sample sample(std::span(&n, 1), 2);
  struct Pair {
    bool same, first, second;
  };
  std::vector<Pair> pairs(n);
  for (uint32_t i = 0; i < n; ++i) {
    Pair& pair = pairs[i] = {random(2) == 0, false, false};
    pair.first = random(10) < (pair.same ? 8U : 2U);
    pair.second = random(10) < (pair.same ? 7U : 3U);
    if (pair.same) sample.add_same(i, 1);
    sample.add(i, 0, pair.first && pair.same, pair.first && !pair.same);
    sample.add(i, 1, pair.second && pair.same, pair.second && !pair.same);
  }
  std::vector<double> gains;
  for (int replicate = 0; replicate < 4000; ++replicate) {
    double right[2] = {}, accepted[2] = {}, same = 0;
    for (uint32_t i = 0; i < n; ++i) {
      const Pair& pair = pairs[random(n)];
      same += pair.same;
      accepted[0] += pair.first, right[0] += pair.first && pair.same;
      accepted[1] += pair.second, right[1] += pair.second && pair.same;
    }
    gains.push_back(2 * right[0] / (accepted[0] + same) - 2 * right[1] / (accepted[1] + same));
  }
  std::sort(gains.begin(), gains.end());
  const Comparison compared = compare(sample, 0, 1);
  EXPECT_NEAR(compared.f1.interval.low, gains[100], 0.006);
  EXPECT_NEAR(compared.f1.interval.high, gains[3899], 0.006);
  EXPECT_TRUE(compared.is_beyond_chance);
}

// Shares that are known: how often the interval holds them, of thousand samples.
struct Coverage {
  int precision = 0, recall = 0, f1 = 0;
  void look_at(const Sample& sample, double precision_is, double recall_is) {
    const double f1_is = 2 * precision_is * recall_is / (precision_is + recall_is);
    precision += holds(Measure::kPrecision, sample, precision_is);
    recall += holds(Measure::kRecall, sample, recall_is);
    f1 += holds(Measure::kF1, sample, f1_is);
  }
  static bool holds(Measure what, const Sample& sample, double value) {
    const Interval at = interval(what, sample, 0);
    return at.low <= value && value <= at.high;
  }
  void expect_near_95_percent() const {
    for (const int held : {precision, recall, f1}) {
      EXPECT_GE(held, 930);
      EXPECT_LE(held, 980);
    }
  }
};

// Pairs of two strata: near ones, which stand for themselves, and far ones, which stand for five.
TEST(Interval, HoldsTheTruthNineteenTimesOfTwentyInStrata) {
  Dice random(24);
  const uint32_t sizes[] = {120, 80};
  const double weights[] = {1, 5};
  const uint32_t percent_same[] = {80, 20}, percent_right[] = {90, 40}, percent_wrong[] = {50, 10};
  double right = 0, wrong = 0, same = 0;
  for (int h = 0; h < 2; ++h) {
    const double pairs = weights[h] * sizes[h];
    same += pairs * percent_same[h] / 100;
    right += pairs * percent_same[h] * percent_right[h] / 10000;
    wrong += pairs * (100 - percent_same[h]) * percent_wrong[h] / 10000;
  }
  Coverage coverage;
  for (int round = 0; round < 1000; ++round) {
    Sample sample(sizes, 1);
    for (uint32_t unit = 0; unit < 200; ++unit) {
      const int h = unit < sizes[0] ? 0 : 1;
      const bool is_same = random(100) < percent_same[h];
      const bool found = random(100) < (is_same ? percent_right[h] : percent_wrong[h]);
      if (is_same) sample.add_same(unit, weights[h]);
      if (found) sample.add(unit, 0, is_same ? weights[h] : 0, is_same ? 0 : weights[h]);
    }
    coverage.look_at(sample, right / (right + wrong), right / same);
  }
  coverage.expect_near_95_percent();
}

// Clusters of one to six duplicates, found whole or by half or not at all.
TEST(Interval, HoldsTheTruthNineteenTimesOfTwentyOfClusters) {
  Dice random(25);
  const uint32_t size = 100;
  Coverage coverage;
  for (int round = 0; round < 1000; ++round) {
    Sample sample(std::span(&size, 1), 1);
    for (uint32_t unit = 0; unit < size; ++unit) {
      const double pairs = 1 + random(6);
      const uint32_t fate = random(10);
      sample.add_same(unit, pairs);
      sample.add(unit, 0, fate < 6 ? pairs : fate < 8 ? pairs / 2 : 0, random(5) == 0 ? 1 : 0);
    }
    const double right = 3.5 * 0.7;
    coverage.look_at(sample, right / (right + 0.2), 0.7);
  }
  coverage.expect_near_95_percent();
}

// Settings that are all as good as each other: of two hundred samples about ten say otherwise of two of them, and not
// many more of the best of twenty.
TEST(Bootstrap, FindsDifferencesWhereThereAreNoneOneTimeOfTwenty) {
  Dice random(26);
  constexpr size_t kSettings = 20;
  const uint32_t size = 150;
  std::vector<size_t> tried(kSettings);
  for (size_t i = 0; i < kSettings; ++i) tried[i] = i;
  int alone = 0, best_of_all = 0, best_alone = 0;
  for (int round = 0; round < 200; ++round) {
    Sample sample(std::span(&size, 1), kSettings);
    for (uint32_t unit = 0; unit < size; ++unit) {
      const bool is_same = random(2) == 0;
      if (is_same) sample.add_same(unit, 1);
      for (const size_t setting : tried)
        if (random(10) < (is_same ? 8U : 2U)) sample.add(unit, setting, is_same, !is_same);
    }
    const auto f1_of = [&](size_t setting) { return measure(Measure::kF1, sample.total(setting)); };
    const size_t best = std::ranges::max(tried, {}, f1_of);
    alone += compare(sample, 1, 0).is_beyond_chance;
    best_alone += compare(sample, best, 0).is_beyond_chance;
    best_of_all += compare_best(sample, best, 0, tried).is_beyond_chance;
  }
  EXPECT_LE(alone, 20);
  EXPECT_GE(best_alone, 32) << "this is why the best of many is not looked at alone";
  EXPECT_LE(best_of_all, 22);
}

}  // namespace
}  // namespace neardup::evaluate::sample_test
