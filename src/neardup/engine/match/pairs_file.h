// Every verified pair: pairs.jsonl on request.
#pragma once

#include <string>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// The accepted candidates between groups, in the order (worse, better), kept in a scratch file.
class VerifiedPairs {
 public:
  struct Pair {
    cluster::Candidate candidate;
    float similarity = 0;
  };
  /// Verifies all candidates of `source` on `num_threads` threads.
  [[nodiscard]] static Result<VerifiedPairs> collect(const cluster::CandidateSource& source,
                                                     const cluster::Verify& verify, const std::string& scratch_path,
                                                     int num_threads, const Context& context);

  [[nodiscard]] std::span<const Pair> pairs() const { return file_.as<Pair>(); }
  /// The same as a cluster::CandidateSource.
  [[nodiscard]] Result<std::span<const cluster::Candidate>> next();
  void rewind() { at_ = 0; }

 private:
  MappedFile file_;
  size_t at_ = 0;
  std::vector<cluster::Candidate> block_;
};

/// Writes pairs.jsonl: {"a","b","kind","distance","similarity"}, a being the preferred document of the two. First all
/// pairs of equal documents, group by group, then each verified pair of groups as all pairs of their documents.
/// References are not paired with each other.
[[nodiscard]] Status write_pairs(const Documents& documents, const ExactGroups& groups, const VerifiedPairs& verified,
                                 const std::string& path, const Context& context);

/// Appends to what write_pairs() has written the pairs of documents of which one contains the other: "kind" is
/// "contained", a is the long one, the distance is not known. `groups_of_ranks`: `verified` has ranks.
[[nodiscard]] Status append_contained(const Documents& documents, const ExactGroups& groups,
                                      const VerifiedPairs& verified, std::span<const uint32_t> groups_of_ranks,
                                      const std::string& path, const Context& context);

}  // namespace neardup::engine
