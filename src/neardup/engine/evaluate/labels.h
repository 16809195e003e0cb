// Labels of documents that were read: from a field, or from a file of pairs.
#pragma once

#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/engine/read/documents.h"
#include "neardup/evaluate/truth.h"

namespace neardup::engine {

/// Returns a number for each document: equal where the group field (`key`) has the same value; evaluate::kNoLabel where
/// it is missing, null or "". Requires: the documents are of one part, whose group values were all told apart. Memory:
/// 4 bytes for each document, 1 for each value. Errors: kInvalidArgument where no two documents have the same value.
[[nodiscard]] Result<std::vector<uint32_t>> labels_by_field(const Documents& documents, const std::string& key);

/// Of a list that grows, and of what evaluate::Truth makes of it.
inline constexpr uint64_t kBytesPerLabelledPair = 200;
/// What remains of that.
inline constexpr uint64_t kBytesPerKeptPair = 120;

/// More strata than this are none: they are parts of a sample, for which figures are shown.
inline constexpr size_t kMostStrata = 64;

struct LabelledPairs {
  std::vector<evaluate::LabelledPair> pairs = {};
  std::vector<std::string> strata = {};  // their names, in the order of the file; "" for pairs that name none
  bool is_judged = false;
  bool is_graded = false;    // by labels, not only true and false
  bool is_weighted = false;  // pairs stand for others
};

struct LabelOptions {
  double least_similarity = 0;
  int duplicate_from = 1;
  std::string stratum_key = "stratum";
};

/// Reads a file of pairs. Pairs with a similarity below options.least_similarity are passed over. Memory:
/// kBytesPerLabelledPair for each, where the ids of documents are named 16 bytes for each document. Errors: kMemory
/// where there are more than `most_pairs`; kNotFound, kIo; kInvalidArgument with file and line for a line that cannot
/// be read, a pair of a document with itself, an id or line that no document has or that two have, lines of different
/// kinds, and more than kMostStrata.
[[nodiscard]] Result<LabelledPairs> read_labelled_pairs(const std::string& path, const LabelOptions& options,
                                                        uint64_t most_pairs, const Documents& documents,
                                                        const Context& context);

}  // namespace neardup::engine
