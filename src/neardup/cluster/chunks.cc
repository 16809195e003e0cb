#include "neardup/cluster/chunks.h"

#include <fmt/format.h>

#include <algorithm>

namespace neardup::cluster {
namespace {

bool comes_before(const Candidate& a, const Candidate& b) {
  return a.worse != b.worse ? a.worse < b.worse : a.better < b.better;
}

}  // namespace

Result<std::span<const Candidate>> ChunkReader::next() {
  chunk_.clear();
  while (!at_end_ && chunk_.size() < kChunkCandidates) {
    if (rest_.empty()) {
      NEARDUP_ASSIGN(rest_, source_());
      at_end_ = rest_.empty();
    }
    const size_t count = std::min(rest_.size(), kChunkCandidates - chunk_.size());
    NEARDUP_TRY(append(rest_.first(count)));
    rest_ = rest_.subspan(count);
  }
  return std::span<const Candidate>(chunk_);
}

Status ChunkReader::append(std::span<const Candidate> part) {
  for (const Candidate& candidate : part) {
    if (candidate.better >= candidate.worse || candidate.worse >= num_documents_) {
      return fail(Code::kCorruption,
                  fmt::format("cluster: candidate ({}, {}) names no two of the {} documents, the better one first",
                              candidate.better, candidate.worse, num_documents_));
    }
    if (any_ && !comes_before(last_, candidate)) {
      return fail(Code::kCorruption,
                  fmt::format("cluster: candidate ({}, {}) comes after ({}, {}); they must be sorted by "
                              "(worse, better), each once",
                              candidate.better, candidate.worse, last_.better, last_.worse));
    }
    last_ = candidate;
    any_ = true;
  }
  chunk_.insert(chunk_.end(), part.begin(), part.end());
  return {};
}

}  // namespace neardup::cluster
