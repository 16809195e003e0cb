// Sorted runs of records, in memory or in a file, and their merge.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"

namespace neardup::join {

/// Where a sorted run lies: `count` records from the record number `begin` of a file.
struct FileRun {
  std::shared_ptr<const ReadFile> file;
  uint64_t begin = 0;
  uint64_t count = 0;
};

/// Reads a run from its first record to its last, through a buffer where it lies in a file.
template <class Record>
class RunReader {
 public:
  explicit RunReader(std::span<const Record> in_memory) : current_(in_memory) {}
  RunReader(FileRun run, size_t buffer_records)
      : run_(std::move(run)), buffer_(std::min<uint64_t>(buffer_records, run_.count)) {}

  /// Makes front() valid, or returns false at the end.
  [[nodiscard]] Result<bool> has_front() {
    if (!current_.empty()) return true;
    if (run_.count == 0) return false;
    NEARDUP_TRY(refill());
    return true;
  }
  [[nodiscard]] const Record& front() const { return current_.front(); }
  void pop() { current_ = current_.subspan(1); }

 private:
  Status refill() {
    const auto count = static_cast<size_t>(std::min<uint64_t>(buffer_.size(), run_.count));
    const std::span<Record> records = std::span(buffer_).first(count);
    NEARDUP_TRY(run_.file->read_exact_at(run_.begin * sizeof(Record), writable_bytes_of(records)));
    run_.begin += count;
    run_.count -= count;
    current_ = records;
    return {};
  }

  FileRun run_;  // what is not yet read
  std::vector<Record> buffer_;
  std::span<const Record> current_;
};

/// The records of sorted runs, from the least to the greatest. Cost: log2(runs) comparisons a record.
///
///   NEARDUP_TRY(merge.begin());
///   while (!merge.empty()) { ... merge.front() ...; NEARDUP_TRY(merge.pop()); }
template <class Record>
class RunMerge {
 public:
  explicit RunMerge(std::vector<RunReader<Record>> runs) : runs_(std::move(runs)) {}

  /// Reads the first record of each run. Errors: kIo.
  [[nodiscard]] Status begin() {
    for (size_t run = 0; run < runs_.size(); ++run) NEARDUP_TRY(push_front_of(run));
    return {};
  }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] const Record& front() const { return heap_.front().record; }
  /// Errors: kIo.
  [[nodiscard]] Status pop() {
    std::ranges::pop_heap(heap_, is_later);
    const size_t run = heap_.back().run;
    heap_.pop_back();
    return push_front_of(run);
  }

 private:
  struct Head {
    Record record;
    size_t run;
  };
  static bool is_later(const Head& a, const Head& b) { return a.record > b.record; }

  Status push_front_of(size_t run) {
    NEARDUP_ASSIGN(const bool more, runs_[run].has_front());
    if (!more) return {};
    heap_.push_back({runs_[run].front(), run});
    runs_[run].pop();
    std::ranges::push_heap(heap_, is_later);
    return {};
  }

  std::vector<RunReader<Record>> runs_;
  std::vector<Head> heap_;
};

}  // namespace neardup::join
