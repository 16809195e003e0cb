// What an evaluation found: one cell for each level of candidates and each rule of verification.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace neardup::evaluate {

/// What one setting finds. Pairs are pairs of documents.
struct Cell {
  uint64_t right = 0;                                     // accepted pairs that the labels call duplicates
  uint64_t wrong = 0;                                     // accepted pairs that they do not
  double ari = std::numeric_limits<double>::quiet_NaN();  // adjusted Rand index; NaN where labels make no clusters
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
  std::vector<Cell> cells;                // of setting {level, rule} at [level * rules.size() + rule]
  Setting standard;                       // what `dedup` takes by itself

  [[nodiscard]] const Cell& cell(const Setting& setting) const {
    return cells[setting.level * rules.size() + setting.rule];
  }
  /// Return shares in 0..1; precision is NaN where nothing was accepted, recall and F1 where no pair is a duplicate.
  [[nodiscard]] double precision(const Setting& setting) const;
  [[nodiscard]] double recall(const Setting& setting) const;
  [[nodiscard]] double f1(const Setting& setting) const;
};

/// Returns 2 PR / (P + R) from counts; NaN where there is neither a true pair nor an accepted one.
[[nodiscard]] double f1_of(uint64_t right, uint64_t wrong, uint64_t num_same);

}  // namespace neardup::evaluate
