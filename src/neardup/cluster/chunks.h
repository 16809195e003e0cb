// Candidates in chunks of bounded size, checked for their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/cluster/candidate.h"

namespace neardup::cluster {

/// Cuts what a CandidateSource delivers, in blocks of any size, into chunks of up to kChunkCandidates.
class ChunkReader {
 public:
  static constexpr size_t kChunkCandidates = size_t{1} << 17;

  ChunkReader(const CandidateSource& source, uint32_t num_documents) : source_(source), num_documents_(num_documents) {}

  /// Returns the next chunk, valid until the next call; empty at the end.
  /// Errors: the source's; kCorruption where a candidate is out of order, names itself or no document.
  [[nodiscard]] Result<std::span<const Candidate>> next();

 private:
  [[nodiscard]] Status append(std::span<const Candidate> part);

  const CandidateSource& source_;
  uint32_t num_documents_;
  std::span<const Candidate> rest_;  // of the source's latest block
  std::vector<Candidate> chunk_;
  Candidate last_;
  bool any_ = false;
  bool at_end_ = false;
};

}  // namespace neardup::cluster
