// Sorted runs of records, in memory or in a file, and their merge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"

namespace neardup::cluster {

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

/// Merges sorted runs; of records of one pair, the first goes to `emit(record) -> Status`.
/// Cost: log2(runs) comparisons a record.
template <class Record, class Emit>
[[nodiscard]] Status merge_runs(std::vector<RunReader<Record>>& runs, const Emit& emit) {
  struct Head {
    Record record;
    size_t run;
  };
  const auto later = [](const Head& a, const Head& b) { return a.record > b.record; };
  std::vector<Head> heap;
  const auto push_front_of = [&](size_t run) -> Status {
    NEARDUP_ASSIGN(const bool more, runs[run].has_front());
    if (!more) return {};
    heap.push_back({runs[run].front(), run});
    runs[run].pop();
    std::push_heap(heap.begin(), heap.end(), later);
    return {};
  };
  for (size_t run = 0; run < runs.size(); ++run) NEARDUP_TRY(push_front_of(run));
  Record last{};
  bool any = false;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    const Head head = heap.back();
    heap.pop_back();
    if (!any || !head.record.same_pair(last)) NEARDUP_TRY(emit(head.record));
    last = head.record;
    any = true;
    NEARDUP_TRY(push_front_of(head.run));
  }
  return {};
}

}  // namespace neardup::cluster
