// Keys with values from many threads, sorted within a memory limit: what does not fit goes to sorted runs on disk.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "neardup/base/result.h"

namespace neardup::join {

/// Of 16 bytes; the order is that of (key, value).
struct KeyedValue {
  uint64_t value;
  uint64_t key;
  std::strong_ordering operator<=>(const KeyedValue& other) const {
    return key != other.key ? key <=> other.key : value <=> other.value;
  }
  bool operator==(const KeyedValue&) const = default;
};

/// What becomes of records with one key.
enum class EqualKeys { kAll, kSum };  // all are delivered; one is, whose value is the sum of theirs

/// Collects records in any order, then delivers them sorted. The order of the adds and the number of threads leave no
/// trace in what is delivered.
///
///   NEARDUP_ASSIGN(KeyedSorter sorter, KeyedSorter::create(folder + "/postings", memory_bytes, num_threads, kinds));
///   ... NEARDUP_TRY(sorter.add(records, thread)); ...          from many threads
///   NEARDUP_TRY(sorter.finish());
///   ... NEARDUP_ASSIGN(const auto block, sorter.next()); ...   until it is empty
class KeyedSorter {
 public:
  /// `prefix`: how the names of its files begin, folder and name; they are removed at the end. `memory_bytes` limits
  /// all buffers together; at least 64 KiB for each thread are used.
  [[nodiscard]] static Result<KeyedSorter> create(std::string prefix, uint64_t memory_bytes, int num_threads,
                                                  EqualKeys equal_keys);
  KeyedSorter(KeyedSorter&& other) noexcept;
  KeyedSorter& operator=(KeyedSorter&& other) noexcept;
  ~KeyedSorter();

  /// Errors: kDiskFull, kIo. Requires: thread < num_threads. Threads: many at once, each with its own `thread`.
  [[nodiscard]] Status add(std::span<const KeyedValue> records, int thread);
  /// Sorts everything. After it comes next(). Errors: kDiskFull, kIo.
  [[nodiscard]] Status finish();
  /// Returns the next records, valid until the next call; empty at the end. Errors: kIo. Cost: log2(runs) a record.
  [[nodiscard]] Result<std::span<const KeyedValue>> next();

 private:
  struct Impl;
  explicit KeyedSorter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::join
