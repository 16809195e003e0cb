// What comparing the texts of groups needs: their tokens, and room for the sets of long ones.
#pragma once

#include "neardup/base/memory_budget.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/read/documents.h"
#include "neardup/verify/verifier.h"

namespace neardup::engine {

/// Returns the tokens of the preferred documents of groups. Both must outlive it.
[[nodiscard]] verify::TokenSource tokens_of(const Documents& documents, const ExactGroups& groups);

/// Lets the sets of long texts be compared by as many threads as have room for them. Threads: many at once.
class LongPairs {
 public:
  /// Both references must outlive it. `bytes_per_token`: verify::comparing_bytes_per_token().
  LongPairs(const Documents& documents, const ExactGroups& groups, uint64_t bytes_per_token, uint64_t memory_bytes,
            int num_threads)
      : documents_(documents),
        groups_(groups),
        bytes_per_token_(bytes_per_token),
        num_threads_(num_threads),
        budget_(memory_bytes) {}

  /// Waits until there is room for the sets of both groups; short ones need none. Hold it while they are compared.
  [[nodiscard]] MemoryBudget::Permit permit_for(uint32_t g, uint32_t h);

 private:
  const Documents& documents_;
  const ExactGroups& groups_;
  const uint64_t bytes_per_token_;
  const int num_threads_;
  MemoryBudget budget_;
};

}  // namespace neardup::engine
