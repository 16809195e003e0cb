// An index that changes: insert and erase, found at once; readers never wait; log-structured.
//
// New entries go to a MemTable. A full one is frozen and sealed into a segment (a StaticIndex) in the background;
// segments of like size are merged there. What a table or segment erases it erases from everything older; a merge
// leaves out what is gone. A reader takes the list of tables and segments once and so sees one state.
// Why it is made so: docs/design/updates.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/hamming/static_index.h"
#include "neardup/store/document_set.h"
#include "neardup/store/mem_table.h"
#include "neardup/store/merge_policy.h"

namespace neardup::store {

/// Entries that do not change any more, and the documents that are erased from all older segments.
template <fingerprint::AnyFingerprint F>
struct Segment {
  uint64_t number = 0;  // every segment of an index has another one
  hamming::StaticIndex<F> index;
  DocumentSet erased;
};

/// Returns the plan to index `num_documents` with.
using PlanMaker = std::function<hamming::Plan(uint64_t num_documents)>;

struct UpdateOptions {
  int max_distance = 3;
  PlanMaker plan_for;  // of a segment; complete for max_distance
  hamming::Codec codec = hamming::Codec::kPacked;
  uint32_t mem_capacity = 1 << 18;  // entries of a MemTable
  uint32_t max_frozen = 3;          // tables that may wait to be sealed; then a writer waits
  MergePolicy merge;
  int num_threads = 1;        // of one build in the background
  uint64_t memory_bytes = 0;  // of one build, as in BuildOptions
  Context context;            // to stop what takes long: it fails with kCancelled, and nothing is written after it
};

/// What an index holds. An entry that is in two segments counts twice until they are merged, an erased one until it is
/// left out.
struct UpdateFigures {
  uint64_t segments = 0;
  uint64_t sealed_entries = 0;
  uint64_t sealed_bytes = 0;
  uint64_t erased = 0;       // document numbers that segments erase from older ones
  uint64_t mem_entries = 0;  // not yet in a segment
  uint64_t mem_erasures = 0;
  uint64_t mem_bytes = 0;
};

/// A state of an index that stays as it is. Cheap to make and to copy. Threads: any number of readers.
template <fingerprint::AnyFingerprint F>
class View {
 public:
  /// Appends every entry within max_distance (<= the index's) of `query`, each (fingerprint, document) once, by
  /// distance, then document, then fingerprint.
  void query(F query, int max_distance, std::vector<hamming::Match<F>>& matches) const;
  /// The same for many: calls `sink` once for each query that has matches, in order.
  void query_batch(std::span<const F> queries, int max_distance,
                   const typename hamming::StaticIndex<F>::Sink& sink) const;
  /// Returns whether it holds the entry. Cost: logarithmic in each segment and table, also where many entries share a
  /// fingerprint, as long as documents are inserted in ascending order (see MemTable::contains()).
  [[nodiscard]] bool contains(F fingerprint, uint64_t document) const;
  /// Calls `visit` with every entry that is not erased, oldest segment first; the same entry may come twice.
  void for_each(const std::function<void(F fingerprint, uint64_t document)>& visit) const;
  [[nodiscard]] UpdateFigures figures() const;
  /// Oldest first.
  [[nodiscard]] std::span<const Segment<F>> segments() const;

 private:
  template <fingerprint::AnyFingerprint G>
  friend class UpdatableIndex;
  struct State;
  [[nodiscard]] MemVersion version_of(size_t table) const;
  [[nodiscard]] bool erased_since(size_t segment, uint64_t document) const;
  [[nodiscard]] bool erased_in_tables_since(size_t table, uint64_t document) const;
  void drop_erased(size_t segment, std::vector<hamming::Match<F>>& matches, size_t begin) const;
  void query_tables(F query, int max_distance, std::vector<hamming::Match<F>>& matches) const;

  std::shared_ptr<const State> state_;
  MemVersion version_;  // of the last table; the others do not change
};

/// Threads: any number of readers and writers; writers take turns. Two threads of its own seal and merge from the first
/// table on that fills.
template <fingerprint::AnyFingerprint F>
class UpdatableIndex {
 public:
  /// Called with all segments, oldest first, before readers see them: to store them. Never two calls at once.
  using Commit = std::function<Status(std::span<const Segment<F>> segments)>;

  /// `segments` are what an earlier index left, oldest first. Requires: options.plan_for is set.
  explicit UpdatableIndex(UpdateOptions options, std::vector<Segment<F>> segments = {}, Commit commit = {});
  UpdatableIndex(const UpdatableIndex&) = delete;
  UpdatableIndex& operator=(const UpdatableIndex&) = delete;
  /// Stops work in the background. What was not flushed is given up.
  ~UpdatableIndex();

  /// Adds documents[i] under fingerprints[i]; each is visible at once. The same pair twice is one. Waits while too many
  /// full tables are to be sealed. Errors: those of an earlier build or commit in the background, kMemory.
  [[nodiscard]] Status insert(std::span<const F> fingerprints, std::span<const uint64_t> documents);
  [[nodiscard]] Status insert(F fingerprint, uint64_t document) {
    return insert({&fingerprint, size_t{1}}, {&document, size_t{1}});
  }
  /// Takes away every entry of each of `documents`; later insertions of them count. Errors: as insert().
  [[nodiscard]] Status erase(std::span<const uint64_t> documents);
  [[nodiscard]] Status erase(uint64_t document) { return erase({&document, size_t{1}}); }

  /// Erases and inserts in one step: every view has all of it or nothing. Requires: neither is more than
  /// options.mem_capacity. Errors: as insert().
  [[nodiscard]] Status replace(std::span<const uint64_t> erased, std::span<const F> fingerprints,
                               std::span<const uint64_t> documents);

  /// Returns the state at this moment. Cost: a mutex held for some ten nanoseconds.
  [[nodiscard]] View<F> view() const;
  void query(F query, int max_distance, std::vector<hamming::Match<F>>& matches) const {
    view().query(query, max_distance, matches);
  }

  /// Lets what failed in the background (a full disk) be tried again, and insertions go on; nothing is lost by such a
  /// failure. Does nothing where all is well.
  void resume();

  /// From now on, or no longer, a full disk fails no insertion and no erasure: what cannot be sealed stays in memory,
  /// however much it is.
  void keep_in_memory(bool keeps);

  /// Returns when all that was inserted and erased before is in segments, and committed. Errors: as insert().
  [[nodiscard]] Status flush();
  /// Flushes, and returns when no merge is due any more.
  [[nodiscard]] Status settle();
  /// Flushes, and makes one segment of all: nothing twice, nothing erased.
  [[nodiscard]] Status compact();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::store
