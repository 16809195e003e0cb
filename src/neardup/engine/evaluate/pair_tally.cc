#include "neardup/engine/evaluate/pair_tally.h"

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

std::vector<verify::Rule> evaluated_rules(const verify::Rule& standard, bool templates,
                                          const std::vector<verify::Rule>& asked) {
  std::vector<verify::Rule> rules = {{verify::Rule::Kind::kNone}, standard, {verify::Rule::Kind::kOrigin}};
  if (templates) rules.push_back({.kind = verify::Rule::Kind::kOrigin, .templates = true});
  for (int t = kFirstThreshold; t <= kLastThreshold; t += kThresholdStep)
    rules.push_back({verify::Rule::Kind::kJaccard, t / 100.0});
  rules.insert(rules.end(), asked.begin(), asked.end());
  std::vector<verify::Rule> distinct;
  for (const verify::Rule& rule : rules)
    if (std::ranges::find(distinct, verify::to_string(rule), [](const auto& r) { return verify::to_string(r); }) ==
        distinct.end())
      distinct.push_back(rule);
  return distinct;
}

PairTally::PairTally(size_t num_levels, const ExactGroups& groups, const evaluate::Truth& truth,
                     std::span<const Decision> decisions)
    : groups_(groups),
      truth_(truth),
      decisions_(decisions),
      levels_(num_levels),
      forests_(decisions.size(), evaluate::SpanningForest(groups.size())) {
  for (Level& level : levels_) {
    level.accepted.resize(num_rules());
    level.weight.resize(num_rules());
  }
  if (truth.is_judged()) {
    outcomes_.emplace(truth, num_levels, num_rules());
  } else {
    clusters_.emplace(truth, groups.best, num_levels, num_rules());
  }
}

void PairTally::accept(uint32_t g, uint32_t h, size_t rule, uint32_t level, const evaluate::PairCount& count,
                       uint64_t weight) {
  evaluate::PairCount& accepted = levels_[level].accepted[rule];
  accepted.same += count.same;
  accepted.different += count.different;
  levels_[level].weight[rule] += weight;
  if (g != h) forests_[rule].add({g, h, level});
  if (outcomes_ && count != evaluate::PairCount{}) outcomes_->accept(g, h, rule, level);
  if (clusters_) clusters_->accept(g, rule, level, count);
}

void PairTally::add(uint32_t g, uint32_t h, const Compared& pair, bool are_short, uint64_t weight) {
  const evaluate::PairCount count = truth_.between(g, h);
  Level& at = levels_[pair.level];
  at.candidates += weight;
  at.same += count.same;
  count_in(at.jaccard3, pair.jaccard3, weight);
  count_in(at.jaccard5, pair.jaccard5, weight);
  for (size_t rule = 0; rule < num_rules(); ++rule) {
    const PairRoute route = decisions_[rule].route(are_short);
    const auto least_equal = static_cast<uint32_t>(decisions_[rule].band_rule(route).min_equal());
    if ((pair.accepted_by >> rule & 1) == 0 || pair.num_equal < least_equal) continue;
    if (route != PairRoute::kCharacters) accept(g, h, rule, pair.level, count, weight);
  }
}

void PairTally::add_short(uint32_t g, uint32_t h, uint8_t kinds, uint64_t weight) {
  if (kinds == 0) return;
  const evaluate::PairCount count = truth_.between(g, h);
  for (size_t rule = 0; rule < num_rules(); ++rule)
    if (sees_characters(rule) && (kinds & bit_of(decisions_[rule].rule().kind)) != 0)
      accept(g, h, rule, 0, count, weight);
}

void PairTally::add_equal(uint32_t g, uint64_t weight) {
  const evaluate::PairCount count = truth_.between(g, g);
  Level& first = levels_.front();
  first.candidates += weight;
  first.same += count.same;
  first.jaccard3.back() += weight;
  first.jaccard5.back() += weight;
  for (size_t rule = 0; rule < num_rules(); ++rule) accept(g, g, rule, 0, count, weight);
}

void PairTally::score_clusters(size_t rule, evaluate::Evaluation& out) {
  evaluate::RandIndex index(truth_.labels());
  for (uint32_t document = 0; document < groups_.group_of.size(); ++document)
    index.unite(groups_.best[groups_.group_of[document]], document);
  const auto& edges = forests_[rule].edges();
  auto edge = edges.begin();
  for (size_t level = 0; level < levels_.size(); ++level) {
    for (; edge != edges.end() && edge->level <= level; ++edge)
      index.unite(groups_.best[edge->a], groups_.best[edge->b]);
    out.cells[level * num_rules() + rule].ari = index.value();
  }
}

void PairTally::finish(evaluate::Evaluation& out) {
  for (const Decision& decision : decisions_) out.rules.push_back(verify::to_string(decision.rule()));
  out.cells.resize(levels_.size() * num_rules());
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
    for (size_t rule = 0; rule < num_rules(); ++rule) {
      evaluate::Cell& cell = out.cells[level * num_rules() + rule];
      if (level > 0) cell = out.cells[(level - 1) * num_rules() + rule];
      cell.right += at.accepted[rule].same;
      cell.wrong += at.accepted[rule].different;
      if (truth_.is_judged()) cell.unjudged += at.weight[rule] - at.accepted[rule].same - at.accepted[rule].different;
    }
  }
  out.sample = outcomes_ ? outcomes_->sample() : clusters_->take();
  if (outcomes_) out.slices = outcomes_->slices();
  for (size_t rule = 0; rule < num_rules() && !truth_.is_judged(); ++rule) score_clusters(rule, out);
}

}  // namespace neardup::engine
