// Candidates collected from many threads, sorted within a memory limit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "neardup/cluster/candidate.h"

namespace neardup::cluster {

/// Collects candidates in any order, then delivers each pair once, sorted by (worse, better), with the smallest
/// distance that was added for it. What does not fit in memory goes to sorted runs on disk, which are merged.
///
///   NEARDUP_ASSIGN(auto set, CandidateSet::create(folder, memory_bytes, num_threads));
///   ... NEARDUP_TRY(set.add(block, thread)); ...          from many threads
///   NEARDUP_TRY(set.finish());
///   star_clusters(num_documents, [&] { return set.next(); }, verify, options);
///
/// The order of the adds and the number of threads leave no trace in what is delivered.
class CandidateSet {
 public:
  /// `folder` must exist and be this set's own: files are created there when memory is short, and removed at the end.
  /// `memory_bytes` limits all buffers together (0 = no limit); at least 64 KiB for each thread are used,
  /// and a file's write buffer of 256 KiB for each thread comes on top once memory is short.
  /// A pair takes 8 bytes in memory and on disk where all ranks are below `num_documents` <= 2^26, else 12; on disk all
  /// pairs can stand twice while they are merged.
  [[nodiscard]] static Result<CandidateSet> create(const std::string& folder, uint64_t memory_bytes, int num_threads,
                                                   uint64_t num_documents = uint64_t{1} << 32);
  CandidateSet(CandidateSet&& other) noexcept;
  CandidateSet& operator=(CandidateSet&& other) noexcept;
  ~CandidateSet();

  /// Adds candidates. Requires: thread < num_threads; better < worse < num_documents; before finish().
  /// Errors: kDiskFull, kIo. Threads: many at once, each with its own `thread`.
  [[nodiscard]] Status add(std::span<const Candidate> candidates, int thread);
  /// Sorts and merges everything. After it comes next(). Errors: kDiskFull, kIo.
  [[nodiscard]] Status finish();
  /// Returns the number of distinct pairs. Requires: finish().
  [[nodiscard]] uint64_t size() const;
  /// Returns the next pairs, up to 2^16, valid until the next call; empty at the end. Errors: kIo.
  [[nodiscard]] Result<std::span<const Candidate>> next();
  /// Lets next() begin again with the first pair.
  void rewind();

  class Store;

 private:
  explicit CandidateSet(std::unique_ptr<Store> store);
  std::unique_ptr<Store> store_;
};

}  // namespace neardup::cluster
