// Both sets are cut by k + 1 blocks of bits, the classic pigeonhole: two within k bits agree in a whole block, so in
// the partition of some table. No flips here: a partition is read by itself, in order. One table stands on disk at a
// time.
// A step is finished exactly if the small file that names its results is there. That file is written last, whole or not
// at all, after what it names is durable. So a run that is killed anywhere leaves finished steps and rubbish, and the
// rubbish is written over when its step is done again.
// Each pair once: a pair that an earlier table has in one partition was met there and is dropped. Chunks, threads and
// order change no byte of the result, since all pairs are sorted at the end. Proof: docs/hamming.md, the lemma with all
// thresholds 0; "Larger than memory".
#include "neardup/join/disk/external.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "neardup/base/disk/file.h"
#include "neardup/base/threads.h"
#include "neardup/join/disk/blocks.h"
#include "neardup/join/disk/finished_steps.h"
#include "neardup/join/in_memory.h"

namespace neardup::join {
namespace {

using fingerprint::Fingerprint;

constexpr int kMaxBits = 8;                                                   // partitions that are written at once
constexpr uint64_t kAppendBytes = (uint64_t{1} << 18) + (uint64_t{1} << 14);  // buffers of one of them

/// A fingerprint in a partition, and where it stands in the set.
struct Spilled {
  uint64_t value;
  uint64_t position;
};

/// Some fingerprints of a partition in memory.
struct Chunk {
  std::vector<Fingerprint> values;
  std::vector<uint64_t> positions;
};

/// The partitions of one set by one table, on disk.
class Partitions {
 public:
  Partitions(std::string prefix, size_t count, uint64_t seed)
      : prefix_(std::move(prefix)), counts_(count), seed_(seed) {}

  [[nodiscard]] std::string path(size_t partition) const { return fmt::format("{}-{}", prefix_, partition); }
  [[nodiscard]] const std::vector<uint64_t>& counts() const { return counts_; }
  void set_counts(std::span<const uint64_t> counts) { counts_.assign(counts.begin(), counts.end()); }

  /// Writes all partitions, and makes them durable. partition_of(value) chooses.
  template <class PartitionOf>
  Status write(Source& set, const Context& context, const PartitionOf& partition_of) {
    std::vector<AppendFile> files;
    for (size_t i = 0; i < counts_.size(); ++i) {
      NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path(i), 0));  // over what a killed run left
      files.push_back(std::move(file));
    }
    std::vector<BlockWriter<Spilled>> writers;
    for (size_t i = 0; i < counts_.size(); ++i) writers.emplace_back(seed_of_file(path(i), seed_));
    const auto to_file = [&](size_t i) {
      return [&files, i](std::string_view bytes) { return files[i].append(bytes); };
    };
    NEARDUP_TRY(set.rewind());
    std::vector<Fingerprint> values(size_t{1} << 14);
    for (uint64_t position = 0;;) {
      NEARDUP_TRY(context.check_cancel());
      NEARDUP_ASSIGN(const size_t count, set.read(values));
      if (count == 0) break;
      for (size_t i = 0; i < count; ++i) {
        const size_t partition = partition_of(values[i]);
        NEARDUP_TRY(writers[partition].add({values[i], position++}, to_file(partition)));
      }
    }
    for (size_t i = 0; i < counts_.size(); ++i) {
      NEARDUP_TRY(writers[i].flush(to_file(i)));
      NEARDUP_TRY(files[i].sync());
      counts_[i] = writers[i].count();
    }
    return {};
  }

  /// Reads records [begin, begin + count) of a partition. Requires: begin is a multiple of kBlockRecords.
  [[nodiscard]] Result<Chunk> read(size_t partition, uint64_t begin, uint64_t count) const {
    const uint64_t seed = seed_of_file(path(partition), seed_);
    NEARDUP_ASSIGN(auto reader, BlockReader<Spilled>::open(path(partition), counts_[partition], seed));
    reader.seek(begin);
    Chunk chunk;
    const auto wanted = static_cast<size_t>(std::min(count, counts_[partition] - begin));
    chunk.values.reserve(wanted);
    chunk.positions.reserve(wanted);
    while (chunk.values.size() < wanted) {
      NEARDUP_ASSIGN(const auto block, reader.next());
      for (const Spilled& record : block) {
        chunk.values.push_back(record.value);
        chunk.positions.push_back(record.position);
      }
    }
    return chunk;
  }

  Status remove() const {
    for (size_t i = 0; i < counts_.size(); ++i) NEARDUP_TRY(remove_all(path(i)));
    return {};
  }

 private:
  std::string prefix_;
  std::vector<uint64_t> counts_;  // records of each partition
  uint64_t seed_;
};

class ExternalJoin {
 public:
  ExternalJoin(Source& left, Source& right, const ExternalOptions& options, const SortedSink& sink)
      : left_(left),
        right_(right),
        self_(&left == &right),
        options_(options),
        sink_(sink),
        num_threads_(resolve_num_threads(options.num_threads)),
        layout_(options.layout.chunk > 0
                    ? options.layout
                    : choose_layout(std::max(left.size(), right.size()), options.max_distance, options.memory_bytes)),
        identity_(identity()),
        seed_(hash64(identity_)) {}

  Status run() {
    NEARDUP_TRY(check());
    NEARDUP_TRY(claim_folder(options_.folder, "join", identity_));
    const size_t tables = layout_.bits == 0 ? 1 : static_cast<size_t>(options_.max_distance) + 1;
    Progress* progress = options_.context.progress;
    if (progress != nullptr) progress->begin_stage("join", "partitions", 0, tables << layout_.bits);
    const Status joined = run_tables(tables);
    if (progress != nullptr) progress->end_stage();
    NEARDUP_TRY(joined);
    return merge_runs(std::move(runs_), options_.folder, options_.memory_bytes / 2, options_.context, sink_);
  }

 private:
  Status check() const {
    if (options_.max_distance < 0 || options_.max_distance > fingerprint::kMaxDistance) {
      return fail(Code::kInvalidArgument, fmt::format("distance {} is outside 0..{}: choose one of these",
                                                      options_.max_distance, fingerprint::kMaxDistance));
    }
    if (options_.memory_bytes >= ExternalOptions::kLeastMemory) return {};
    return fail(Code::kMemory,
                fmt::format("a join on disk takes at least {} bytes of memory, the limit is {}; raise it",
                            ExternalOptions::kLeastMemory, options_.memory_bytes));
  }

  // Threads are not part of it: they change nothing.
  [[nodiscard]] std::string identity() const {
    return fmt::format("neardup join 1\n{}\ndistance {} sizes {} {} self {} bits {} chunk {}\n", options_.identity,
                       options_.max_distance, left_.size(), right_.size(), self_, layout_.bits, layout_.chunk);
  }

  Status run_tables(size_t tables) {
    for (size_t table = 0; table < tables; ++table) NEARDUP_TRY(run_table(table, tables));
    return {};
  }

  // The place of table i's bits: the highest of its block.
  [[nodiscard]] int shift_of(size_t table, size_t tables) const {
    return 64 - static_cast<int>(64 / tables * table) - layout_.bits;
  }
  [[nodiscard]] size_t partition_of(Fingerprint value, int shift) const {
    if (layout_.bits == 0) return 0;
    return value >> shift & ((size_t{1} << layout_.bits) - 1);
  }

  Status run_table(size_t table, size_t tables) {
    const size_t count = size_t{1} << layout_.bits;
    const std::string prefix = fmt::format("{}/table-{}", options_.folder, table);
    std::vector<std::optional<std::vector<PairRun>>> done;
    for (size_t i = 0; i < count; ++i) done.push_back(finished_task(task_prefix(table, i)));
    // Partitions are not written again for a table whose pairs are all there.
    const bool all = std::ranges::all_of(done, [](const auto& runs) { return runs.has_value(); });
    Partitions left(prefix + "-left", count, seed_), right(prefix + "-right", count, seed_);
    const int shift = shift_of(table, tables);
    if (!all) NEARDUP_TRY(spill(prefix, shift, left, right));
    std::vector<int> earlier;
    for (size_t i = 0; i < table; ++i) earlier.push_back(shift_of(i, tables));
    for (size_t i = 0; i < count; ++i) {
      if (!done[i]) {
        NEARDUP_ASSIGN(done[i], run_task(task_prefix(table, i), i, left, self_ ? left : right, earlier));
      }
      runs_.insert(runs_.end(), done[i]->begin(), done[i]->end());
      if (options_.context.progress != nullptr) options_.context.progress->advance(0, table * count + i + 1);
    }
    // Only now: every pair of the table is in a finished run.
    NEARDUP_TRY(left.remove());
    NEARDUP_TRY(right.remove());
    return remove_all(prefix + "-spilled");
  }

  [[nodiscard]] std::string task_prefix(size_t table, size_t partition) const {
    return fmt::format("{}/pairs-{}-{}", options_.folder, table, partition);
  }

  // Writes the partitions of both sets, unless an earlier run did: the file that says so is written last.
  Status spill(const std::string& prefix, int shift, Partitions& left, Partitions& right) {
    const size_t count = left.counts().size();
    if (const auto numbers = read_numbers(prefix + "-spilled", seed_); numbers && numbers->size() == 2 * count) {
      left.set_counts(std::span(*numbers).first(count));
      right.set_counts(std::span(*numbers).last(count));
      return {};
    }
    const auto partition_of_value = [&](Fingerprint value) { return partition_of(value, shift); };
    NEARDUP_TRY(left.write(left_, options_.context, partition_of_value));
    if (!self_) NEARDUP_TRY(right.write(right_, options_.context, partition_of_value));
    std::vector<uint64_t> numbers = left.counts();
    numbers.insert(numbers.end(), right.counts().begin(), right.counts().end());
    return write_numbers(prefix + "-spilled", numbers, seed_);
  }

  // The runs of a partition that an earlier call has finished.
  [[nodiscard]] std::optional<std::vector<PairRun>> finished_task(const std::string& prefix) const {
    const auto counts = read_numbers(prefix + "-done", seed_);
    if (!counts) return std::nullopt;
    std::vector<PairRun> runs;
    for (size_t i = 0; i < counts->size(); ++i) {
      const std::string path = fmt::format("{}-{}", prefix, i);
      runs.push_back({path, (*counts)[i], seed_of_file(path, seed_)});
    }
    return runs;
  }

  // Joins one partition, chunk by chunk, and leaves its pairs in sorted runs.
  Result<std::vector<PairRun>> run_task(const std::string& prefix, size_t partition, const Partitions& left,
                                        const Partitions& right, const std::vector<int>& earlier) const {
    PairSorter sorter(prefix + "-", options_.memory_bytes / 8, seed_);
    const uint64_t lefts = left.counts()[partition], rights = right.counts()[partition];
    for (uint64_t i = 0; i < lefts && rights > 0; i += layout_.chunk) {
      NEARDUP_ASSIGN(const Chunk a, left.read(partition, i, layout_.chunk));
      if (self_) NEARDUP_TRY(join_chunks(a, a, earlier, sorter));
      for (uint64_t j = self_ ? i + layout_.chunk : 0; j < rights; j += layout_.chunk) {
        NEARDUP_ASSIGN(const Chunk b, right.read(partition, j, layout_.chunk));
        NEARDUP_TRY(join_chunks(a, b, earlier, sorter));
      }
    }
    NEARDUP_ASSIGN(auto runs, sorter.finish_on_disk());
    std::vector<uint64_t> counts;
    for (const PairRun& run : runs) counts.push_back(run.count);
    NEARDUP_TRY(write_numbers(prefix + "-done", counts, seed_));
    return runs;
  }

  Status join_chunks(const Chunk& a, const Chunk& b, const std::vector<int>& earlier, PairSorter& sorter) const {
    const JoinOptions join{
        options_.max_distance, num_threads_, options_.memory_bytes / 2, {nullptr, options_.context.cancel}};
    const bool same = &a == &b;
    const PairSink sink = [&](std::span<const Pair> pairs, int) -> Status {
      std::vector<Pair> kept;
      for (const Pair& pair : pairs) {
        if (met_before(a.values[pair.a], b.values[pair.b], earlier)) continue;
        const uint64_t x = a.positions[pair.a], y = b.positions[pair.b];
        kept.push_back(self_ ? Pair{std::min(x, y), std::max(x, y), pair.distance} : Pair{x, y, pair.distance});
      }
      return sorter.add(kept);
    };
    return same ? self_join(a.values, join, sink) : cross_join(a.values, b.values, join, sink);
  }

  // A pair that an earlier table has in one partition was met there.
  [[nodiscard]] bool met_before(Fingerprint a, Fingerprint b, const std::vector<int>& earlier) const {
    return std::ranges::any_of(earlier, [&](int shift) { return partition_of(a, shift) == partition_of(b, shift); });
  }

  Source& left_;
  Source& right_;
  bool self_;  // one set: partitions are written once, pairs are ordered
  const ExternalOptions& options_;
  const SortedSink& sink_;
  int num_threads_;
  ExternalLayout layout_;
  std::string identity_;
  uint64_t seed_;              // of the checksums of its files
  std::vector<PairRun> runs_;  // of all finished partitions
};

}  // namespace

// An eighth of the memory each for the two chunks (16 bytes a fingerprint), an eighth for pairs, half for the join.
ExternalLayout choose_layout(uint64_t size, int max_distance, uint64_t memory_bytes) {
  ExternalLayout layout;
  layout.chunk = std::max<uint64_t>(kBlockRecords, memory_bytes / 8 / sizeof(Spilled) / kBlockRecords * kBlockRecords);
  const uint64_t chunks = (size + layout.chunk - 1) / layout.chunk;
  const auto tables = static_cast<uint64_t>(std::clamp(max_distance, 0, fingerprint::kMaxDistance)) + 1;
  if (chunks <= tables) return layout;
  const auto wanted =
      static_cast<int>(std::bit_width(chunks + chunks / 4));  // partitions differ in size: a quarter more
  const int files = static_cast<int>(std::bit_width(std::max<uint64_t>(1, memory_bytes / 4 / kAppendBytes))) - 1;
  layout.bits = std::min({wanted, files, kMaxBits, static_cast<int>(64 / tables)});
  return layout;
}

Status external_self_join(Source& set, const ExternalOptions& options, const SortedSink& sink) {
  return ExternalJoin(set, set, options, sink).run();
}

Status external_cross_join(Source& left, Source& right, const ExternalOptions& options, const SortedSink& sink) {
  return ExternalJoin(left, right, options, sink).run();
}

}  // namespace neardup::join
