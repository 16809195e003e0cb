// Buffers of records that become sorted runs on disk, and levels of their merge.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "neardup/join/disk/scratch_file.h"
#include "neardup/join/disk/sorted_run.h"

namespace neardup::join {

/// What one thread has collected: records in memory, and runs of those before them.
template <class Record>
struct alignas(64) RunLane {
  std::vector<Record> records;
  std::optional<ScratchFile<Record>> file;
  std::vector<uint64_t> run_begins;  // record numbers in `file`
};

/// The files of runs; they are removed with the object.
template <class Record>
class RunFiles {
 public:
  /// `prefix`: how the names of its files begin, folder and name.
  explicit RunFiles(std::string prefix) : prefix_(std::move(prefix)) {}

  /// Writes what is in the lane's memory, which is sorted, as a run. Errors: kDiskFull, kIo. Threads: many at once,
  /// each with a lane of its own.
  [[nodiscard]] Status spill(RunLane<Record>& lane) {
    if (lane.records.empty()) return {};
    if (!lane.file) {
      NEARDUP_ASSIGN(auto file, ScratchFile<Record>::create(new_path()));
      lane.file.emplace(std::move(file));
    }
    lane.run_begins.push_back(lane.file->num_records());
    NEARDUP_TRY(lane.file->append(lane.records));
    lane.records.clear();
    return {};
  }

  /// Makes room for one more record in a lane that is full: it grows up to `capacity`; at its end `compact(records)`
  /// sorts it and takes out what it can, and where that frees less than a quarter it becomes a run. Errors, threads: as
  /// spill().
  template <class Compact>
  [[nodiscard]] Status make_room(RunLane<Record>& lane, size_t capacity, const Compact& compact) {
    const size_t size = lane.records.size();
    if (size < capacity) {
      lane.records.reserve(std::min(capacity, std::max<size_t>(1024, 2 * size)));
      return {};
    }
    compact(lane.records);
    return lane.records.size() <= capacity / 4 * 3 ? Status() : spill(lane);
  }

  /// Puts the rest of every lane on disk, frees their memory and returns all runs. Errors: kDiskFull, kIo.
  [[nodiscard]] Result<std::vector<FileRun>> spill_all(std::span<RunLane<Record>> lanes) {
    std::vector<FileRun> runs;
    for (RunLane<Record>& lane : lanes) {
      NEARDUP_TRY(spill(lane));
      std::vector<Record>().swap(lane.records);
      if (!lane.file) continue;
      NEARDUP_ASSIGN(const auto file, lane.file->reader());
      lane.run_begins.push_back(lane.file->num_records());
      for (size_t i = 0; i + 1 < lane.run_begins.size(); ++i)
        runs.push_back({file, lane.run_begins[i], lane.run_begins[i + 1] - lane.run_begins[i]});
      files_.push_back(std::move(*lane.file));
      lane.file.reset();
    }
    return runs;
  }

  /// Merges `fan_in` runs at a time, all into one new file, and removes the old ones. Returns the new runs.
  /// `merge(group, output) -> Status` appends the records of a group of runs. Errors: kDiskFull, kIo.
  template <class Merge>
  [[nodiscard]] Result<std::vector<FileRun>> merge_level(std::span<const FileRun> runs, size_t fan_in,
                                                         const Merge& merge) {
    NEARDUP_ASSIGN(auto output, ScratchFile<Record>::create(new_path()));
    std::vector<std::pair<uint64_t, uint64_t>> places;  // begin and end of each new run
    for (size_t first = 0; first < runs.size(); first += fan_in) {
      const uint64_t begin = output.num_records();
      NEARDUP_TRY(merge(runs.subspan(first, std::min(fan_in, runs.size() - first)), output));
      places.emplace_back(begin, output.num_records());
    }
    NEARDUP_ASSIGN(const auto file, output.reader());
    files_.clear();
    files_.push_back(std::move(output));
    std::vector<FileRun> merged;
    for (const auto& [begin, end] : places) merged.push_back({file, begin, end - begin});
    return merged;
  }

 private:
  std::string new_path() { return prefix_ + "." + std::to_string(num_files_.fetch_add(1)) + ".tmp"; }

  std::string prefix_;
  std::atomic<int> num_files_ = 0;
  std::vector<ScratchFile<Record>> files_;  // that runs lie in
};

/// Returns readers of runs in files, which share `memory_bytes`: 32 KiB to 1 MiB for each.
template <class Record>
[[nodiscard]] std::vector<RunReader<Record>> readers_of(std::span<const FileRun> runs, uint64_t memory_bytes) {
  constexpr uint64_t kLeast = uint64_t{32} << 10, kMost = uint64_t{1} << 20;
  const uint64_t each = std::clamp(memory_bytes / std::max<uint64_t>(runs.size(), 1), kLeast, kMost);
  std::vector<RunReader<Record>> readers;
  for (const FileRun& run : runs) readers.emplace_back(run, static_cast<size_t>(each / sizeof(Record)));
  return readers;
}

/// How many runs are merged at once within `memory_bytes`.
[[nodiscard]] inline size_t merge_fan_in(uint64_t memory_bytes) {
  return static_cast<size_t>(std::clamp<uint64_t>(memory_bytes >> 15, 2, 4096));
}

}  // namespace neardup::join
