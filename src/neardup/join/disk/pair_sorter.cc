// External merge sort. Pairs come from many threads in any order, and the result must be the same for all of them: so
// they are sorted by (a, b), and of equal pairs, which different routes may find, the one of least distance stays
// (records are compared by distance last).
// Memory: one array of records, or in the merge one block for each run; where the runs are too many for that, the
// oldest are merged into one that goes to the end of the queue. Merged files are not part of what a killed run goes on
// from: they are made again.
#include "neardup/join/disk/pair_sorter.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/disk/file.h"
#include "neardup/join/disk/blocks.h"

namespace neardup::join {
namespace {

constexpr uint64_t kReaderBytes = kBlockRecords * sizeof(PairRecord) + 512;
constexpr size_t kSortedPairs = 4096;  // that a sink gets at once

// A file of sorted pairs that is being written.
class RunFile {
 public:
  static Result<RunFile> create(PairRun run) {
    NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(run.path));
    return RunFile(std::move(run), std::move(file));
  }
  Status add(const PairRecord& record) {
    return writer_.add(record, [&](std::string_view bytes) { return file_.write(bytes); });
  }
  Result<PairRun> commit() {
    NEARDUP_TRY(writer_.flush([&](std::string_view bytes) { return file_.write(bytes); }));
    NEARDUP_TRY(file_.commit());
    run_.count = writer_.count();
    return run_;
  }

 private:
  RunFile(PairRun run, AtomicFile file) : run_(std::move(run)), file_(std::move(file)), writer_(run_.seed) {}
  PairRun run_;
  AtomicFile file_;
  BlockWriter<PairRecord> writer_;
};

// A run and what is read of it and not yet used.
struct Head {
  BlockReader<PairRecord> reader;
  std::span<const PairRecord> block;

  Result<bool> advance() {
    if (!block.empty()) block = block.subspan(1);
    if (block.empty()) {
      NEARDUP_ASSIGN(block, reader.next());
    }
    return !block.empty();
  }
};

// Calls emit(record) -> Status in order, for the first record of each pair.
template <class Emit>
Status merge(std::span<const PairRun> runs, const Context& context, const Emit& emit) {
  std::vector<Head> heads;
  std::vector<size_t> heap;  // of indices, the smallest record on top
  const auto later = [&](size_t x, size_t y) { return heads[x].block.front() > heads[y].block.front(); };
  for (const PairRun& run : runs) {
    NEARDUP_ASSIGN(auto reader, BlockReader<PairRecord>::open(run.path, run.count, run.seed));
    heads.push_back({std::move(reader), {}});
    NEARDUP_ASSIGN(const bool any, heads.back().advance());
    if (any) heap.push_back(heads.size() - 1);
  }
  std::ranges::make_heap(heap, later);
  // No pair has these positions.
  PairRecord last{UINT64_MAX, UINT64_MAX, 0};
  for (uint64_t count = 0; !heap.empty(); ++count) {
    if (count % 65536 == 0) NEARDUP_TRY(context.check_cancel());
    std::ranges::pop_heap(heap, later);
    Head& head = heads[heap.back()];
    const PairRecord record = head.block.front();
    if (record.a != last.a || record.b != last.b) NEARDUP_TRY(emit(record));
    last = record;
    NEARDUP_ASSIGN(const bool more, head.advance());
    if (more) {
      std::ranges::push_heap(heap, later);
    } else {
      heap.pop_back();
    }
  }
  return {};
}

/// Hands records on as blocks of pairs.
class PairBlocks {
 public:
  explicit PairBlocks(const SortedSink& sink) : sink_(sink) {}
  Status add(const PairRecord& record) {
    pairs_.push_back({record.a, record.b, static_cast<uint32_t>(record.distance)});
    return pairs_.size() == kSortedPairs ? flush() : Status();
  }
  Status flush() {
    if (pairs_.empty()) return {};
    NEARDUP_TRY(sink_(pairs_));
    pairs_.clear();
    return {};
  }

 private:
  const SortedSink& sink_;
  std::vector<Pair> pairs_;
};

void sort_and_unite(std::vector<PairRecord>& records) {
  std::ranges::sort(records);
  const auto same = [](const PairRecord& x, const PairRecord& y) { return x.a == y.a && x.b == y.b; };
  records.erase(std::unique(records.begin(), records.end(), same), records.end());
}

}  // namespace

Status merge_runs(std::vector<PairRun> runs, const std::string& folder, uint64_t memory_bytes, const Context& context,
                  const SortedSink& sink) {
  const auto fan = static_cast<size_t>(std::clamp<uint64_t>(memory_bytes / kReaderBytes, 8, 512));
  std::vector<std::string> own;
  while (runs.size() > fan) {
    NEARDUP_ASSIGN(RunFile file, RunFile::create({fmt::format("{}/merged-{}", folder, own.size())}));
    NEARDUP_TRY(merge(std::span(runs).first(fan), context, [&](const PairRecord& record) { return file.add(record); }));
    runs.erase(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(fan));
    NEARDUP_ASSIGN(const PairRun merged, file.commit());
    runs.push_back(merged);
    own.push_back(merged.path);
  }
  PairBlocks blocks(sink);
  NEARDUP_TRY(merge(runs, context, [&](const PairRecord& record) { return blocks.add(record); }));
  NEARDUP_TRY(blocks.flush());
  for (const std::string& path : own) NEARDUP_TRY(remove_all(path));
  return {};
}

PairSorter::PairSorter(std::string prefix, uint64_t memory_bytes, uint64_t seed)
    : prefix_(std::move(prefix)),
      memory_bytes_(memory_bytes),
      seed_(seed),
      capacity_(memory_bytes == 0 ? SIZE_MAX : std::max<size_t>(1024, memory_bytes / sizeof(PairRecord))) {}

Status PairSorter::add(std::span<const Pair> pairs) {
  const std::lock_guard lock(mutex_);
  for (const Pair& pair : pairs) {
    // Room for all from the first on: growing would hold everything twice.
    if (records_.capacity() == 0 && capacity_ != SIZE_MAX) records_.reserve(capacity_);
    records_.push_back({pair.a, pair.b, pair.distance});
    if (records_.size() >= capacity_) NEARDUP_TRY(write_run());
  }
  return {};
}

PairRun PairSorter::run_of(size_t run, uint64_t count) const {
  const std::string path = fmt::format("{}{}", prefix_, run);
  return {path, count, seed_of_file(path, seed_)};
}

void PairSorter::go_on_from(std::span<const uint64_t> run_counts) {
  for (const uint64_t count : run_counts) runs_.push_back(run_of(runs_.size(), count));
}

Status PairSorter::write_run() {
  sort_and_unite(records_);
  NEARDUP_ASSIGN(RunFile file, RunFile::create(run_of(runs_.size(), 0)));
  for (const PairRecord& record : records_) NEARDUP_TRY(file.add(record));
  records_.clear();
  NEARDUP_ASSIGN(const PairRun run, file.commit());
  runs_.push_back(run);
  return {};
}

Status PairSorter::write_all() {
  const std::lock_guard lock(mutex_);
  return records_.empty() ? Status() : write_run();
}

Result<std::vector<PairRun>> PairSorter::finish_on_disk() {
  NEARDUP_TRY(write_all());
  std::vector<PairRecord>().swap(records_);
  return std::move(runs_);
}

Status PairSorter::deliver(const std::string& folder, const Context& context, const SortedSink& sink) {
  if (runs_.empty()) {
    sort_and_unite(records_);
    PairBlocks blocks(sink);
    for (const PairRecord& record : records_) NEARDUP_TRY(blocks.add(record));
    return blocks.flush();
  }
  NEARDUP_ASSIGN(const std::vector<PairRun> runs, finish_on_disk());
  NEARDUP_TRY(merge_runs(runs, folder, memory_bytes_, context, sink));
  for (const PairRun& run : runs) NEARDUP_TRY(remove_all(run.path));
  return {};
}

}  // namespace neardup::join
