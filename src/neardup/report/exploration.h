// What the threshold of report.html works on: the documents of clusters, and the pairs that tie them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::report {

inline constexpr uint32_t kNoSource = std::numeric_limits<uint32_t>::max();

/// A document that is in a cluster, or in a verified pair.
struct ExploredDocument {
  std::string id;
  uint32_t source = kNoSource;  // index in Report::by_input; kNoSource: a reference, which is only read
  uint32_t text_bytes = 0;
  uint32_t same_as = 0;  // index of the preferred one of the documents with this text; its own where that is itself
  uint32_t example = 0;  // number of the example, from 1, that shows it removed; 0: none
};

/// A verified pair of documents with different texts, each the preferred one of its text.
struct ExploredPair {
  uint32_t better = 0, worse = 0;  // better < worse
  float similarity = 0;
  uint16_t distance = 0;  // kUnknownDistance: not known
};

/// How finely similarities of what is left out are counted: in hundredths, 1 for itself.
inline constexpr size_t kSimilaritySteps = 100;

/// Documents for which there is no room, by what became of them. They are whole clusters: the smallest ones, and such
/// as are larger than all the room.
struct LeftOut {
  uint64_t clusters = 0, largest = 0;      // largest: documents of the largest one
  uint64_t kept = 0, exact = 0, near = 0;  // documents
  std::array<uint64_t, kSimilaritySteps + 1> near_by_similarity{};

  /// Counts one more near-duplicate, of that similarity to the document kept for it.
  void count_near(float similarity);
};

/// A run's clusters as the page can recompute them for a higher threshold.
struct Exploration {
  std::vector<ExploredDocument> documents;  // in the order of preference: the keep rule takes the first
  std::vector<ExploredPair> pairs;          // by (worse, better)
  bool has_all_pairs = false;  // every verified pair is here; else those of a removed document and its kept one alone
  bool has_too_many_pairs = false;  // the run listed them, and they are not here: for their number, mostly
  bool are_components = false;      // clusters are connected components, not stars
  LeftOut left_out;
  std::string explain;  // a command up to the ids of two documents, which says why they are duplicates; empty: none
};

/// How much of it goes into a page.
struct ExplorationLimits {
  size_t documents = 120000;
  size_t pairs = 250000;
};

/// Returns `exploration` within `limits`: documents that pairs tie stay together or go together, the largest such sets
/// stay first; what goes is counted in left_out.
[[nodiscard]] Exploration within_limits(const Exploration& exploration, const ExplorationLimits& limits);

/// The script and style that work on it, which the build makes of web/report; empty where the program was built without
/// (NEARDUP_WEB=OFF).
struct ExplorationAssets {
  std::string_view script, style;
};
[[nodiscard]] ExplorationAssets exploration_assets();

}  // namespace neardup::report
