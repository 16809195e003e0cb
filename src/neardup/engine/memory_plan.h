// Who may take how much of --memory: the one place that divides it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"

namespace neardup::engine {

/// The least that --memory may be: the program itself, its libraries and tables for any language take about half of it.
inline constexpr uint64_t kSmallestMemory = uint64_t{64} << 20;

/// What memory is taken for. Whatever grows with the corpus is one of these.
enum class MemoryUse : uint8_t {
  kProgram,       // itself, its libraries and tables
  kDictionary,    // an IDF, learnt or loaded
  kLongRecords,   // records that are worked on with a permit
  kUsualRecords,  // working on all others, on all threads
  kLongBatches,   // batches of one record, longer than others, without a permit
  kBatches,       // read, and on their way to the work folder
  kDocuments,     // per document: groups, assignments, fates, joined arrays, bits of late rows; and what a stage takes
  kFamilies,      // finding the texts that are copies of one another
  kCommonness,    // the counts by which the rule content weighs n-grams
  kCommonnessQueues,   // n-grams that wait to be counted
  kCountedTexts,       // long texts that are counted at a time
  kGivenCommonness,    // counts of another run
  kHeldCommonness,     // those that are held while documents are matched
  kSurveyedTexts,      // of explain: checksums and signatures of the texts of a corpus
  kShortTexts,         // their characters
  kJoin,               // of all fingerprints or signatures
  kPassages,           // by which documents are found that others contain
  kCandidates,         // the list of candidate pairs
  kNgramSets,          // of texts that were compared lately
  kLongTexts,          // sets of long texts while they are compared
  kStars,              // signatures, buckets and queues of stars that need no list
  kKeptFiles,          // batches that are read again, and written
  kGroupValues,        // of evaluate: labels; here and below shares of what documents and trees leave
  kBandLevels,         // signatures
  kComparedSets,       // sets of texts that were compared lately, for all rules
  kComparedLongTexts,  // sets of long texts while they are compared
  kShortCandidates,    // candidate pairs of short texts
  kEvaluatedPairs,     // candidate pairs of all
  kEvaluatedJoin,      // of all fingerprints or signatures
  kCountTables,        // of idf: tokens and documents that have them, on all threads
  kListedPairs,        // of pairs: a list; here and below shares of what the files leave
  kPairsJoin,          // of fingerprints or signatures
  kColumnPairs,        // of pairs --work: the pairs of several columns
  kColumnJoin,         // of one column of several
};
/// Returns "long_records" and the like.
[[nodiscard]] std::string_view name_of(MemoryUse use);

/// What a plan depends on.
struct MemoryNeeds {
  uint64_t memory_bytes = uint64_t{4} << 30;  // in all
  bool has_dictionary = false;                // an IDF is in use
  uint64_t num_documents = 0;                 // where they are known
  uint64_t commonness_bytes = 0;              // of the counts that are held while documents are matched
};

/// Uses whose shares are held at the same time.
struct MemoryPhase {
  std::string_view name;
  std::vector<MemoryUse> uses;
};

/// Divides memory. The shares of a phase are together no more than the whole, as long as kDocuments is no more than
/// half of it. While reading that holds from kLeastPlanned on: below, two threads have their batches all the same,
/// which take less than their share, as records are rarely long. Of what is decided about documents only the longest
/// record that fits and the precision of learnt counts depend on it.
class MemoryPlan {
 public:
  static constexpr uint64_t kMostNgramSets = uint64_t{48} << 20;  // a larger cache finds hardly more sets
  static constexpr uint64_t kLeastPlanned = uint64_t{256} << 20;

  explicit MemoryPlan(const MemoryNeeds& needs) : needs_(needs) {}
  /// Of that size; all else is not known.
  explicit MemoryPlan(uint64_t memory_bytes) : needs_{.memory_bytes = memory_bytes} {}

  [[nodiscard]] uint64_t total_bytes() const { return needs_.memory_bytes; }
  [[nodiscard]] uint64_t bytes_of(MemoryUse use) const;
  /// Returns the least memory in which records fit that take `long_bytes` to work on.
  [[nodiscard]] static uint64_t memory_for_long_records(uint64_t long_bytes);

  /// The phases of a run up to matching, and those of matching (of which a run goes through some) and writing.
  [[nodiscard]] static const std::vector<MemoryPhase>& reading();
  [[nodiscard]] static const std::vector<MemoryPhase>& matching();
  /// The phases of pairs, as shares of what the files leave.
  [[nodiscard]] static const std::vector<MemoryPhase>& pairing();
  /// The phases of evaluate, as shares of what documents, labels and trees leave.
  [[nodiscard]] static const std::vector<MemoryPhase>& evaluating();
  /// Tells `progress`, which may be null, the shares of `phases`.
  void report(const std::vector<MemoryPhase>& phases, Progress* progress) const;

 private:
  [[nodiscard]] uint64_t of_reading(MemoryUse use) const;
  [[nodiscard]] uint64_t of_matching(MemoryUse use) const;
  [[nodiscard]] uint64_t free_bytes() const;
  [[nodiscard]] uint64_t part_of_free(uint64_t count) const;

  MemoryNeeds needs_;
};

}  // namespace neardup::engine
