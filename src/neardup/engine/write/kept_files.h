// Kept files: the inputs again, without the removed documents or with notes added to all.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "neardup/engine/match/outcome.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"
#include "neardup/engine/write/clusters.h"

namespace neardup::engine {

/// Texts of single documents that the report shows (shown_text()), cut at a character border to `kShownBytes` and a
/// little, so that a cut one is known by being longer.
using ShownTexts = std::unordered_map<uint32_t, std::string>;
inline constexpr size_t kShownBytes = 6000;
inline constexpr size_t kMoreThanShown = 4;  // bytes, the longest character

/// Returns the beginning of the text of a document's `bytes` as ShownTexts hold it.
[[nodiscard]] std::string shown_beginning(const recipe::Recipe& recipe, std::string_view bytes);

struct KeptFiles {
  uint64_t num_kept = 0;  // kept documents that were written
  ShownTexts shown;
};

/// Reads the inputs once more and writes, below `folder`, kept/NAME for each input (Mode::kRemove), annotated/NAME
/// (kAnnotate) or kept_ids.txt (kIds), in the input's format and compression, records byte for byte. An input of which
/// all records were rejected gets no file. Returns how many kept documents were written, and the texts of `wanted`
/// (ascending document numbers, references too, but none of a store). Errors: those of reading and writing; kMismatch
/// where an input changed since it was read.
[[nodiscard]] Result<KeptFiles> write_kept(const Documents& documents, const Outcome& outcome, const Clusters& clusters,
                                           const Sources& sources, const DedupOptions& options,
                                           const std::vector<uint32_t>& wanted, const std::string& folder,
                                           const Context& context);

}  // namespace neardup::engine
