// The outcome of a run: what became of each document, as the write stage needs it and as it stands on disk.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/base.h"

namespace neardup::engine {

enum class Fate : uint8_t { kKept, kExact, kNear, kReference, kContained };
/// Returns "kept", "exact", "near", "reference" or "contained".
[[nodiscard]] std::string_view name_of(Fate fate);
/// Returns whether a document of such a fate is not among what is kept.
[[nodiscard]] constexpr bool is_removed(Fate fate) {
  return fate == Fate::kExact || fate == Fate::kNear || fate == Fate::kContained;
}

/// One document's fate.
struct DocumentFate {
  uint32_t kept = 0;      // the document that stays in its place; itself where it is kept
  float similarity = 1;   // to that one; of kContained the share of its tokens that that one holds
  uint16_t distance = 0;  // of fingerprints in bits, of signatures in values; or cluster::kUnknownDistance
  Fate fate = Fate::kKept;
  uint8_t reserved = 0;
};
static_assert(sizeof(DocumentFate) == 12);

/// A verified pair of groups of equal texts (ExactGroups), better < worse.
struct SimilarGroups {
  uint32_t better = 0, worse = 0;
  float similarity = 0;
  uint32_t distance = 0;
};

/// As many fit on a page.
inline constexpr size_t kMostShownPairs = 250000;

/// What came of looking for documents that others contain.
struct ContainedCounts {
  uint64_t num_candidates = 0;  // pairs with enough passages in common
  uint64_t num_verified = 0;    // of them compared
  uint64_t num_common = 0;      // passages that too many documents have to tell anything
};

struct Outcome {
  std::vector<DocumentFate> fates;  // by document
  uint64_t num_candidates = 0;      // distinct candidate pairs
  uint64_t num_verified = 0;        // of them compared
  uint64_t num_similar = 0;         // of those accepted
  uint64_t num_filtered = 0;        // candidates left out by --within or --size-within
  uint64_t num_settled = 0;         // documents with a signature that needed no comparison: alone in all bands
  uint32_t distance = 0;            // bits, as used; 0 for signatures
  ContainedCounts contained = {};   // of --contained
  uint64_t of = 0;                  // stands for the run, and for the files that belong to it
  // Every verified pair, where a run lists them and they are not too many to be shown; no part of the file.
  std::vector<SimilarGroups> pairs = {};
};

/// One checksummed file, written atomically (docs/formats/work_folder.md).
[[nodiscard]] Status save_outcome(const std::string& path, const Outcome& outcome);
/// Reads the bytes of such a file. Errors: kCorruption, naming `path`.
[[nodiscard]] Result<Outcome> outcome_from_bytes(std::string_view bytes, const std::string& path);
/// Errors: kNotFound; kCorruption.
[[nodiscard]] Result<Outcome> load_outcome(const std::string& path);

}  // namespace neardup::engine
