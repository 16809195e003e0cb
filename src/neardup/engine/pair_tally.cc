#include "neardup/engine/pair_tally.h"

#include <algorithm>
#include <cmath>

namespace neardup::engine {
namespace {

constexpr int kFirstThreshold = 20, kLastThreshold = 95, kThresholdStep = 5;  // in hundredths

template <class Bins>
void count_in(Bins& bins, float similarity, uint64_t weight) {
  const auto bin = static_cast<size_t>(similarity * static_cast<float>(bins.size()));
  bins[std::min(bin, bins.size() - 1)] += weight;
}

// The lower end of the bin that holds the given percentile; 1 of the last, where equal sets lie.
template <class Bins>
float percentile(const Bins& bins, uint64_t count, int percent) {
  const double rank = static_cast<double>(count) * percent / 100;
  uint64_t below = 0;
  for (size_t bin = 0; bin < bins.size(); ++bin) {
    below += bins[bin];
    if (static_cast<double>(below) >= rank && below > 0)
      return bin + 1 == bins.size() ? 1.0F : static_cast<float>(bin) / static_cast<float>(bins.size());
  }
  return 0;
}

}  // namespace

std::vector<verify::Rule> evaluated_rules(bool templates, bool is_code) {
  std::vector<verify::Rule> rules = {{verify::Rule::Kind::kNone}, {verify::Rule::Kind::kOrigin}};
  if (templates) rules.push_back({.kind = verify::Rule::Kind::kOrigin, .templates = true});
  for (int t = kFirstThreshold; t <= kLastThreshold; t += kThresholdStep)
    rules.push_back({verify::Rule::Kind::kJaccard, t / 100.0});
  if (is_code) rules.push_back({verify::Rule::Kind::kCode});
  return rules;
}

bool accepts(const verify::Rule& rule, const Compared& pair) {
  switch (rule.kind) {
    case verify::Rule::Kind::kNone:
      return true;
    case verify::Rule::Kind::kOrigin:
      return !pair.are_short && pair.is_origin && !(rule.templates && pair.other_numbers);
    case verify::Rule::Kind::kCode:
      return pair.is_code;
    case verify::Rule::Kind::kJaccard:
      break;
  }
  return pair.jaccard5 >= static_cast<float>(rule.threshold);
}

PairTally::PairTally(size_t num_levels, uint32_t num_groups, std::vector<verify::Rule> rules, std::vector<int> bounds)
    : rules_(std::move(rules)),
      bounds_(std::move(bounds)),
      levels_(num_levels),
      forests_(rules_.size(), evaluate::SpanningForest(num_groups)) {
  bounds_.resize(rules_.size(), 0);
  for (Level& level : levels_) level.accepted.resize(rules_.size());
}

void PairTally::add(uint32_t g, uint32_t h, const Compared& pair, const evaluate::PairCount& count, uint64_t weight) {
  Level& at = levels_[pair.level];
  at.candidates += weight;
  at.same += count.same;
  count_in(at.jaccard3, pair.jaccard3, weight);
  count_in(at.jaccard5, pair.jaccard5, weight);
  for (size_t rule = 0; rule < rules_.size(); ++rule) {
    if (pair.num_equal < static_cast<uint32_t>(bounds_[rule]) || !accepts(rules_[rule], pair)) continue;
    at.accepted[rule].same += count.same;
    at.accepted[rule].different += count.different;
    forests_[rule].add({g, h, pair.level});
  }
}

void PairTally::add_short(uint32_t g, uint32_t h, const evaluate::PairCount& count) {
  for (size_t rule = 0; rule < rules_.size(); ++rule) {
    if (rules_[rule].kind != verify::Rule::Kind::kOrigin) continue;
    evaluate::PairCount& accepted = levels_.front().accepted[rule];
    accepted.same += count.same;
    accepted.different += count.different;
    forests_[rule].add({g, h, 0});
  }
}

void PairTally::add_equal(const evaluate::PairCount& count, uint64_t weight) {
  Level& first = levels_.front();
  first.candidates += weight;
  first.same += count.same;
  first.jaccard3.back() += weight;
  first.jaccard5.back() += weight;
  for (evaluate::PairCount& accepted : first.accepted) {
    accepted.same += count.same;
    accepted.different += count.different;
  }
}

void PairTally::score_clusters(size_t rule, const ExactGroups& groups, const evaluate::Truth& truth,
                               evaluate::Evaluation& out) {
  evaluate::RandIndex index(truth.labels());
  for (uint32_t document = 0; document < groups.group_of.size(); ++document)
    index.unite(groups.best[groups.group_of[document]], document);
  const auto& edges = forests_[rule].edges();
  auto edge = edges.begin();
  for (size_t level = 0; level < levels_.size(); ++level) {
    for (; edge != edges.end() && edge->level <= level; ++edge) index.unite(groups.best[edge->a], groups.best[edge->b]);
    out.cells[level * rules_.size() + rule].ari = index.value();
  }
}

void PairTally::finish(const ExactGroups& groups, const evaluate::Truth& truth, evaluate::Evaluation& out) {
  for (const verify::Rule& rule : rules_) out.rules.push_back(verify::to_string(rule));
  out.cells.resize(levels_.size() * rules_.size());
  uint64_t candidates = 0;
  for (size_t level = 0; level < levels_.size(); ++level) {
    const Level& at = levels_[level];
    out.num_candidates.push_back(candidates += at.candidates);
    evaluate::SimilaritySpread& spread = out.spreads.emplace_back();
    spread.count = at.candidates;
    spread.same = at.same;
    for (size_t i = 0; i < spread.jaccard3.size(); ++i) {
      spread.jaccard3[i] = percentile(at.jaccard3, at.candidates, evaluate::kSpreadPercentiles[i]);
      spread.jaccard5[i] = percentile(at.jaccard5, at.candidates, evaluate::kSpreadPercentiles[i]);
    }
    for (size_t rule = 0; rule < rules_.size(); ++rule) {
      evaluate::Cell& cell = out.cells[level * rules_.size() + rule];
      if (level > 0) cell = out.cells[(level - 1) * rules_.size() + rule];
      cell.right += at.accepted[rule].same;
      cell.wrong += at.accepted[rule].different;
    }
  }
  for (size_t rule = 0; rule < rules_.size() && !truth.is_judged(); ++rule) score_clusters(rule, groups, truth, out);
}

}  // namespace neardup::engine
