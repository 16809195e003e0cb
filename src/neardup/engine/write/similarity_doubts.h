// Doubts about the bar: signs that documents were removed that readers may call different.
#pragma once

#include <string>
#include <vector>

#include "neardup/engine/match/outcome.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/documents.h"
#include "neardup/engine/write/clusters.h"
#include "neardup/engine/write/summary.h"

namespace neardup::engine {

/// How the documents that were removed for one that stays differ from it.
struct Differences {
  uint64_t num_documents = 0;   // that were looked at
  uint64_t num_by_numbers = 0;  // of them: what differs are mostly numbers
  double own = 0;    // mean share of a removed document's 3-grams that neither the kept one nor another of them has
  double frame = 0;  // mean share of the 3-grams in common with the kept one that nearly all of them have in common
};
/// `removed`: tokens (token::marked_hash() of each) of the removed ones.
[[nodiscard]] Differences differences(const std::vector<uint32_t>& kept,
                                      const std::vector<std::vector<uint32_t>>& removed);
/// Returns whether the tokens that only one of two texts has, each as often as it does, are mostly numbers, and at
/// least four.
[[nodiscard]] bool differ_by_numbers(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

/// Returns a warning with its cure for each of these: many near-duplicates lie just above the bar; documents that
/// differ from their kept ones mostly in numbers; large clusters that share a frame in which each member says something
/// of its own. Cost: one pass over the rows, and the tokens of about 400 documents of at most 100,000 tokens. Errors:
/// those of reading tokens.
[[nodiscard]] Result<std::vector<std::string>> similarity_doubts(const Documents& documents, const Outcome& outcome,
                                                                 const Clusters& clusters, const ShownDocuments& shown,
                                                                 const DedupOptions& options);

}  // namespace neardup::engine
