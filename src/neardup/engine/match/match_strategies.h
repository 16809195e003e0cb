// The four ways to match: which groups are kept, and which go for which of those. All give the same result.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidates.h"
#include "neardup/engine/match/candidate_layer.h"
#include "neardup/engine/match/outcome.h"
#include "neardup/engine/match/pair_comparer.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"
#include "neardup/engine/work_folder.h"

namespace neardup::engine {

/// What all strategies work on.
struct MatchSetting {
  const Documents& documents;
  const ExactGroups& groups;
  const DedupOptions& options;
  const WorkFolder& folder;
  const std::string& pairs_path;  // of options.write_pairs
  const MemoryPlan& plan;
  int num_threads = 1;
  std::span<const uint32_t> active;  // groups with fingerprints or a signature, ascending
  const ShortTexts& short_texts;     // those of them that are short texts
  const CandidateLayers& layers;
  PairComparer& comparer;
  const Context& context;
};

class ComparedPairs;

struct Matches {
  std::vector<cluster::Assignment> assignments;  // by group
  uint64_t num_candidates = 0;                   // distinct pairs
  uint64_t num_settled = 0;                      // active groups that needed no comparison
  std::vector<SimilarGroups> pairs = {};         // as in Outcome
  std::vector<bool> is_contained = {};           // by group: it goes because another one holds it; empty: none does
  ContainedCounts contained = {};
};

/// Every candidate pair is listed, on disk where memory is short, and then compared: the only way without signatures,
/// and for pairs.jsonl. Stars or components.
class ListMatching {
 public:
  static constexpr uint64_t kAnyNumber = ~uint64_t{0};
  explicit ListMatching(const MatchSetting& setting) : run_(setting) {}
  /// Whether joining all signatures of the setting leaves room for it. Requires: signatures.
  [[nodiscard]] bool fits() const;
  /// Nothing where there are more candidates than that. Of signatures those alone that `compared`, which may be null,
  /// has. Errors: kIo, kDiskFull, kCancelled, kMemory.
  [[nodiscard]] Result<std::optional<Matches>> run(uint64_t most_candidates, const ComparedPairs* compared = nullptr);

 private:
  [[nodiscard]] Result<Matches> assign(cluster::CandidateSet& candidates) const;
  const MatchSetting& run_;
};

/// Stars straight from the buckets of bands, with all signatures in memory. Requires: signatures.
class StarMatching {
 public:
  explicit StarMatching(const MatchSetting& setting) : run_(setting) {}
  [[nodiscard]] bool fits() const;
  /// Requires: fits(). Errors: those of reading and comparing, kCancelled.
  [[nodiscard]] Result<Matches> run();

 private:
  const MatchSetting& run_;
};

/// The same, with as many signatures in memory as there is room for. Requires: signatures.
class PartStarMatching {
 public:
  /// `compared` is of the same setting, and must outlive it.
  PartStarMatching(const MatchSetting& setting, const ComparedPairs& compared) : run_(setting), compared_(compared) {}
  /// Returns up to how many candidates a list is less work.
  [[nodiscard]] uint64_t most_listed() const;
  [[nodiscard]] Result<Matches> run();

 private:
  [[nodiscard]] uint32_t ranks_at_once() const;
  const MatchSetting& run_;
  const ComparedPairs& compared_;
};

/// Components without a list: each pair is compared as it comes, unless its documents are in one component already.
/// Requires: signatures.
class ComponentMatching {
 public:
  explicit ComponentMatching(const MatchSetting& setting) : run_(setting) {}
  [[nodiscard]] Result<Matches> run();

 private:
  [[nodiscard]] Status add_distances(std::vector<cluster::Assignment>& assignments) const;
  const MatchSetting& run_;
};

/// Chooses among them by options, signatures and memory.
[[nodiscard]] Result<Matches> find_matches(const MatchSetting& setting);

/// What several of them need.
[[nodiscard]] JoinSettings join_settings_of(const MatchSetting& setting, DisjointSets* joined);
[[nodiscard]] cluster::ClusterOptions component_options_of(const MatchSetting& setting);

}  // namespace neardup::engine
