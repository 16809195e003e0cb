// Counts compared pairs by level and rule.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "neardup/engine/comparer.h"
#include "neardup/evaluate/evaluation.h"
#include "neardup/evaluate/spanning_forest.h"
#include "neardup/evaluate/truth.h"
#include "neardup/verify/verify.h"

namespace neardup::engine {

/// none, origin, with `templates` the same with them, jaccard:T for T from .2 to .95, and for source code `code`, in
/// this order.
[[nodiscard]] std::vector<verify::Rule> evaluated_rules(bool templates, bool is_code);

/// Whether `rule` accepts a pair of texts.
[[nodiscard]] bool accepts(const verify::Rule& rule, const Compared& pair);

/// Memory: about kBytesPerVertex for each group and rule. Threads: one at a time.
class PairTally {
 public:
  static constexpr uint64_t kBytesPerVertex = 48;

  /// `rules`: evaluated_rules(). `bounds`: by rule, the equal signature values without which dedup does not look at a
  /// pair; empty for SimHash.
  PairTally(size_t num_levels, uint32_t num_groups, std::vector<verify::Rule> rules, std::vector<int> bounds);

  /// A pair of groups that stands for `weight` pairs of documents.
  void add(uint32_t g, uint32_t h, const Compared& pair, const evaluate::PairCount& count, uint64_t weight);
  /// Two short texts whose characters are similar: accepted by the rules origin at every level.
  void add_short(uint32_t g, uint32_t h, const evaluate::PairCount& count);
  /// `count` pairs of documents with one text: accepted at every level by every rule.
  void add_equal(const evaluate::PairCount& count, uint64_t weight);

  /// Fills levels' candidates, spreads and cells; the adjusted Rand index unless the labels are judgements.
  void finish(const ExactGroups& groups, const evaluate::Truth& truth, evaluate::Evaluation& out);

 private:
  static constexpr size_t kBins = 1024;
  using Bins = std::array<uint64_t, kBins>;
  struct Level {
    uint64_t candidates = 0, same = 0;
    std::vector<evaluate::PairCount> accepted;  // by rule
    Bins jaccard3{}, jaccard5{};
  };
  void score_clusters(size_t rule, const ExactGroups& groups, const evaluate::Truth& truth, evaluate::Evaluation& out);

  std::vector<verify::Rule> rules_;
  std::vector<int> bounds_;
  std::vector<Level> levels_;
  std::vector<evaluate::SpanningForest> forests_;  // by rule, of groups
};

}  // namespace neardup::engine
