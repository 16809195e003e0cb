// What an evaluation found: one cell for each level of candidates and each rule of verification.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/evaluate/outcomes.h"
#include "neardup/evaluate/sample.h"

namespace neardup::evaluate {

/// What one setting finds. Pairs are pairs of documents.
struct Cell {
  uint64_t right = 0;                                     // accepted pairs that the labels call duplicates
  uint64_t wrong = 0;                                     // accepted pairs that they do not
  double ari = std::numeric_limits<double>::quiet_NaN();  // adjusted Rand index; NaN where labels make no clusters
  uint64_t unjudged = 0;                                  // accepted pairs of which judgements say nothing
};

/// How similar the candidates of one level are: the similarity under which 5, 25, 50, 75 and 95 % of them lie.
struct SimilaritySpread {
  uint64_t count = 0;  // candidates of exactly this level
  uint64_t same = 0;   // of them duplicates by the labels
  std::array<float, 5> jaccard3{};
  std::array<float, 5> jaccard5{};
};
inline constexpr std::array<int, 5> kSpreadPercentiles = {5, 25, 50, 75, 95};

/// A setting: an index into Evaluation::levels and one into Evaluation::rules.
struct Setting {
  size_t level = 0;
  size_t rule = 0;
  bool operator==(const Setting&) const = default;
};

struct Evaluation {
  std::string recipe_name;
  std::string recipe_id;
  bool is_minhash = false;  // levels are numbers of bands, else distances
  bool is_judged = false;   // the labels judge single pairs: all others count for nothing
  uint64_t num_documents = 0;
  uint64_t num_rejected = 0;
  uint64_t num_labelled = 0;              // documents that are named by a label
  uint64_t num_same = 0;                  // pairs that the labels call duplicates
  uint64_t num_different = 0;             // pairs that they call none; of judged labels alone
  std::vector<int> levels;                // ascending: a setting takes the candidates of all levels up to its own
  std::vector<std::string> rules;         // as --verify reads them
  std::vector<uint64_t> num_candidates;   // of each level and those below, by documents
  std::vector<SimilaritySpread> spreads;  // of each level alone
  std::vector<Cell> cells;                // of setting {level, rule} at index_of() it
  Setting standard;                       // what `dedup` takes by itself
  std::vector<Setting> asked;             // those to look at in figures beside it
  Sample sample;                          // of the same settings; without units where nothing is known of chance
  std::vector<JudgedSlice> slices;        // of judgements
  std::vector<std::string> strata;        // their names; one that is empty where there are none
  bool is_weighted = false;               // judged pairs stand for others: shares are those of the sample
  int duplicate_from = 1;                 // the least label of a duplicate
  bool is_graded = false;                 // judgements are labels, not only true and false

  [[nodiscard]] size_t index_of(const Setting& setting) const { return setting.level * rules.size() + setting.rule; }
  [[nodiscard]] const Cell& cell(const Setting& setting) const { return cells[index_of(setting)]; }
  /// Return shares in 0..1, weighted; precision is NaN where nothing was accepted, recall and F1 where no pair is a
  /// duplicate.
  [[nodiscard]] double precision(const Setting& setting) const;
  [[nodiscard]] double recall(const Setting& setting) const;
  [[nodiscard]] double f1(const Setting& setting) const;
};

/// Returns "distance" or "bands": what a level is.
[[nodiscard]] std::string_view level_noun(const Evaluation& evaluation);

/// Returns what the whole sample, or the cell where there is none, says of a setting.
[[nodiscard]] Counts counts_of(const Evaluation& evaluation, const Setting& setting);

}  // namespace neardup::evaluate
