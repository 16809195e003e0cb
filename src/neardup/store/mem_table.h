// The newest entries of an index that changes: found at once by any number of readers while one writer adds more.
//
// Entries are only ever added. Each stands in one chain per table of a plan (the chain of its bucket), newest first; a
// reader takes the version once and passes over whatever is younger, so that it sees one state without a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "neardup/hamming/static_index.h"

namespace neardup::store {

/// A state of a MemTable: the first so many insertions and erasures.
struct MemVersion {
  uint32_t inserted = 0;
  uint32_t erased = 0;
  bool operator==(const MemVersion&) const = default;
};

/// Threads: one writer at a time (insert, erase, prefetch), any number of readers at the same time.
template <fingerprint::AnyFingerprint F>
class MemTable {
 public:
  /// Makes room for `capacity` insertions and as many erasures. Memory is taken as it is filled, but for 4 bytes per
  /// table and entry. Requires: `plan` complete for kBitsOf<F>, 1 <= capacity <= 2^30.
  MemTable(const hamming::Plan& plan, uint32_t capacity);
  MemTable(const MemTable&) = delete;
  MemTable& operator=(const MemTable&) = delete;
  ~MemTable();

  /// Brings near what insert() will read. Threads: the writer.
  void prefetch(F fingerprint) const;
  /// Adds an entry, visible at once. The same (fingerprint, document) twice is two entries. Cost: about one
  /// cache miss per table. Requires: fewer than capacity() insertions so far.
  void insert(F fingerprint, uint64_t document);
  /// Takes away all earlier entries of `document`, here and in everything older. Requires: fewer than capacity()
  /// erasures so far.
  void erase(uint64_t document);

  /// Erases and then inserts, documents[i] under fingerprints[i], in one step: every version has all of it or nothing.
  /// Requires: room for all of it.
  void replace(std::span<const uint64_t> erased, std::span<const F> fingerprints, std::span<const uint64_t> documents);

  [[nodiscard]] uint32_t capacity() const { return capacity_; }
  [[nodiscard]] bool has_room(size_t insertions, size_t erasures) const {
    const MemVersion now = version();
    return insertions <= capacity_ - now.inserted && erasures <= capacity_ - now.erased;
  }
  [[nodiscard]] bool full() const { return version().inserted == capacity_ || version().erased == capacity_; }
  [[nodiscard]] MemVersion version() const;
  [[nodiscard]] uint64_t bytes() const;  // of what is filled

  /// Appends every entry of `version` within max_distance (<= the plan's) of `query` that is not erased, in no fixed
  /// order. Cost: one chain per probe, or a scan where fewer entries than chains are there.
  void query(F query, int max_distance, MemVersion version, std::vector<hamming::Match<F>>& matches) const;
  /// Returns whether `version` erases `document` from everything older than this table.
  [[nodiscard]] bool erases(uint64_t document, MemVersion version) const;
  /// Returns whether `version` holds the entry, not erased. Cost: logarithmic in the entries up to the first whose
  /// document is less than the one before it, linear in those from there on.
  [[nodiscard]] bool contains(F fingerprint, uint64_t document, MemVersion version) const;
  /// Calls `visit` with each entry of `version` that is not erased, oldest first.
  void for_each(MemVersion version, const std::function<void(F fingerprint, uint64_t document)>& visit) const;
  /// Returns what `version` erases, oldest first; a document may occur twice.
  [[nodiscard]] std::vector<uint64_t> erased_documents(MemVersion version) const;

 private:
  struct Chains;  // of one table of the plan
  struct Probe;
  void write_entry(uint32_t entry, F fingerprint, uint64_t document);
  void write_erasure(uint32_t number, uint64_t document, uint32_t before);
  void walk(const Chains& chains, const Probe& probe, uint32_t first, std::vector<hamming::Match<F>>& matches) const;
  void meet(const Chains& chains, const Probe& probe, uint32_t entry, std::vector<hamming::Match<F>>& matches) const;
  void scan(const Probe& probe, std::vector<hamming::Match<F>>& matches) const;
  [[nodiscard]] bool met_before(const Chains& chains, F difference) const;
  [[nodiscard]] bool alive(uint32_t entry, MemVersion version) const;
  void offer(uint32_t entry, const Probe& probe, std::vector<hamming::Match<F>>& matches) const;

  uint32_t capacity_;
  int slot_bits_;                          // slots of chains and of erasures: about as many as entries
  size_t num_probes_ = 0;                  // chains that a query reads
  std::vector<Chains> chains_;             // by table of the plan; none: queries scan
  std::unique_ptr<F[]> fingerprints_;      // of entry i
  std::unique_ptr<uint64_t[]> documents_;  // of entry i
  struct Erasure {
    uint64_t document;
    uint32_t before;  // the insertions that were there
    uint32_t next;    // the erasure before it in its chain, plus 1; 0 = none
  };
  std::unique_ptr<Erasure[]> erasures_;                     // in order
  std::unique_ptr<std::atomic<uint32_t>[]> erasure_heads_;  // by hash of the document, as those of the chains
  std::atomic<uint32_t> ascending_{0};                      // so many of the first entries are by document
  std::atomic<uint64_t> version_{0};                        // insertions, and erasures in the upper half
};

}  // namespace neardup::store
