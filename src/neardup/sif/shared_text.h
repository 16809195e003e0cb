// What two similar files have in common, passage by passage, for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/sif/options.h"
#include "neardup/sif/similar.h"

namespace neardup::sif {

/// A piece of a file: bytes [begin, end), and the lines that they are part of, counted from 1.
struct Range {
  uint64_t begin = 0, end = 0;
  uint64_t first_line = 0, last_line = 0;
  bool operator==(const Range&) const = default;
};

/// A passage in both files.
struct SharedPassage {
  Range a, b;
  std::string text_a = {}, text_b = {};  // the bytes themselves, where they were asked for
};

/// Which passages are wanted, and what of them.
struct PassageDemand {
  uint64_t most = UINT64_MAX;  // so many of the longest
  bool texts = false;          // also their bytes
};

/// Passages of a pair, or why there are none to show.
struct PassagesOrReason {
  std::vector<SharedPassage> passages = {};
  std::string reason = {};  // empty: they are all that were wanted
};

/// Returns the passages of at least options.selection.substring_bytes that the two files of `pair` share, the longest
/// first, as files.files names them. Reads both files again. Where code is folded the passages are
/// those of the folded files, in the bytes of the files themselves. Errors: kNotFound; kIo, also where one has
/// changed since; kMemory where one is too large.
[[nodiscard]] Result<std::vector<SharedPassage>> shared_passages(const SimilarFiles& files, const SimilarPair& pair,
                                                                 const SimilarOptions& options,
                                                                 const PassageDemand& demand = {});

/// The same; a file that went away, has changed or is too large is told by the reason. Errors: all others.
[[nodiscard]] Result<PassagesOrReason> passages_or_reason(const SimilarFiles& files, const SimilarPair& pair,
                                                          const SimilarOptions& options,
                                                          const PassageDemand& demand = {});

}  // namespace neardup::sif
