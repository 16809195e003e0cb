// Counts compared pairs by level and rule.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "neardup/engine/evaluate/comparer.h"
#include "neardup/evaluate/cluster_units.h"
#include "neardup/evaluate/evaluation.h"
#include "neardup/evaluate/outcomes.h"
#include "neardup/evaluate/spanning_forest.h"
#include "neardup/evaluate/truth.h"
#include "neardup/verify/rule.h"

namespace neardup::engine {

/// none, `standard` (what dedup takes by itself), origin, with `templates` the same with them, and jaccard:T for T from
/// .2 to .95, in this order, and those of `asked` that are not among them. Each once.
[[nodiscard]] std::vector<verify::Rule> evaluated_rules(const verify::Rule& standard, bool templates,
                                                        const std::vector<verify::Rule>& asked);

/// Memory: about kBytesPerVertex for each group and rule. Threads: one at a time.
class PairTally {
 public:
  static constexpr uint64_t kBytesPerVertex = 48;

  /// All but the number must outlive it. `decisions`: one for each of evaluated_rules().
  PairTally(size_t num_levels, const ExactGroups& groups, const evaluate::Truth& truth,
            std::span<const Decision> decisions);

  /// A pair of groups that stands for `weight` pairs of documents. `are_short`: rules that look at characters do not
  /// see it here.
  void add(uint32_t g, uint32_t h, const Compared& pair, bool are_short, uint64_t weight);
  /// The bit of add_short() for rules of a kind.
  [[nodiscard]] static constexpr uint8_t bit_of(verify::Rule::Kind kind) {
    return static_cast<uint8_t>(1U << static_cast<unsigned>(kind));
  }
  /// Two short texts, compared by their characters: accepted at every level by the rules of `kinds`.
  void add_short(uint32_t g, uint32_t h, uint8_t kinds, uint64_t weight);
  /// Pairs of documents of one group, which have one text: accepted at every level by every rule.
  void add_equal(uint32_t g, uint64_t weight);

  /// Fills levels' candidates, spreads and cells, the sample and what judgements say; the adjusted Rand index unless
  /// the labels are judgements. To be called once.
  void finish(evaluate::Evaluation& out);

 private:
  static constexpr size_t kBins = 1024;
  using Bins = std::array<uint64_t, kBins>;
  struct Level {
    uint64_t candidates = 0, same = 0;
    std::vector<evaluate::PairCount> accepted;  // by rule
    std::vector<uint64_t> weight;               // of these: pairs of documents, also those that no label speaks of
    Bins jaccard3{}, jaccard5{};
  };
  [[nodiscard]] size_t num_rules() const { return decisions_.size(); }
  [[nodiscard]] bool sees_characters(size_t rule) const {
    return decisions_[rule].route(true) == PairRoute::kCharacters;
  }
  void accept(uint32_t g, uint32_t h, size_t rule, uint32_t level, const evaluate::PairCount& count, uint64_t weight);
  void score_clusters(size_t rule, evaluate::Evaluation& out);

  const ExactGroups& groups_;
  const evaluate::Truth& truth_;
  std::span<const Decision> decisions_;
  std::vector<Level> levels_;
  std::vector<evaluate::SpanningForest> forests_;   // by rule, of groups
  std::optional<evaluate::Outcomes> outcomes_;      // of judgements
  std::optional<evaluate::ClusterUnits> clusters_;  // else
};

}  // namespace neardup::engine
