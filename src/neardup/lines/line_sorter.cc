#include "neardup/lines/line_sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <queue>
#include <utility>

#include "neardup/base/disk/folders.h"
#include "neardup/base/threads.h"

namespace neardup::lines {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;
constexpr size_t kMostRuns = 64;  // merged at once

uint64_t prefix_of(std::string_view line) {
  uint64_t prefix = 0;
  std::memcpy(&prefix, line.data(), std::min(line.size(), sizeof prefix));
  return __builtin_bswap64(prefix);
}

/// The lines of a sorted file one by one.
class RunReader {
 public:
  static Result<RunReader> open(const std::string& path, char line_end, size_t buffer_bytes) {
    NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path));
    return RunReader(std::move(file), line_end, buffer_bytes);
  }
  /// Goes to the next line; false at the end.
  Result<bool> next() {
    begin_ += size_;
    size_t searched = begin_;
    while (true) {
      const size_t end = buffer_.find(line_end_, searched);
      if (end != std::string::npos) {
        size_ = end + 1 - begin_;
        return true;
      }
      searched = buffer_.size() - begin_;
      buffer_.erase(0, begin_);
      begin_ = 0;
      buffer_.resize(searched + std::max(buffer_bytes_, searched));
      NEARDUP_ASSIGN(const size_t got, file_.read_at(offset_, std::span(buffer_).subspan(searched)));
      buffer_.resize(searched + got);
      offset_ += got;
      if (got == 0) return false;
    }
  }
  [[nodiscard]] std::string_view entry() const { return std::string_view(buffer_).substr(begin_, size_); }

 private:
  RunReader(ReadFile file, char line_end, size_t buffer_bytes)
      : file_(std::move(file)), line_end_(line_end), buffer_bytes_(buffer_bytes) {}
  ReadFile file_;
  char line_end_;
  size_t buffer_bytes_;
  std::string buffer_;
  size_t begin_ = 0, size_ = 0;
  uint64_t offset_ = 0;
};

/// Gathers entries to pieces that are worth a call.
class Pieces {
 public:
  explicit Pieces(const WriteBytes& write) : write_(write) {}
  Status add(std::string_view entry) {
    piece_ += entry;
    return piece_.size() < kPieceBytes ? Status() : finish();
  }
  Status finish() {
    NEARDUP_TRY(write_(piece_));
    piece_.clear();
    return {};
  }

 private:
  const WriteBytes& write_;
  std::string piece_;
};

/// Calls take(i) for the run whose turn it is; it goes on and returns false at its end. `is_behind(a, b)`: run a comes
/// after run b.
template <class IsBehind, class Take>
Status merge(const std::vector<size_t>& runs, const IsBehind& is_behind, const Take& take) {
  std::priority_queue<size_t, std::vector<size_t>, IsBehind> next(is_behind, runs);
  while (!next.empty()) {
    const size_t run = next.top();
    next.pop();
    NEARDUP_ASSIGN(const bool more, take(run));
    if (more) next.push(run);
  }
  return {};
}

}  // namespace

std::string_view LineSorter::line_of(std::string_view entry) const {
  if (options_.has_counts) entry.remove_prefix(entry.find('\t') + 1);
  return entry.substr(0, entry.size() - 1);
}

std::string_view LineSorter::entry_bytes(const Entry& entry) const {
  return std::string_view(bytes_).substr(entry.begin, entry.size);
}

bool LineSorter::is_before(const Entry& a, const Entry& b) const {
  if (a.prefix != b.prefix) return a.prefix < b.prefix;
  return is_before(entry_bytes(a), entry_bytes(b));
}

bool LineSorter::is_before(std::string_view entry, std::string_view other) const {
  if (options_.long_lines == nullptr || options_.long_lines->empty()) return line_of(entry) < line_of(other);
  return options_.long_lines->is_before(line_of(entry), line_of(other));
}

/// So many that a long line of each has room.
size_t LineSorter::runs_at_once() const {
  return static_cast<size_t>(std::clamp<uint64_t>(options_.memory_bytes / (4 * longest_ + 1), 2, kMostRuns));
}

void LineSorter::add_entry(std::string_view entry) {
  entries_.push_back({prefix_of(line_of(entry)), bytes_.size(), entry.size()});
  bytes_ += entry;
  longest_ = std::max<uint64_t>(longest_, entry.size());
}

Status LineSorter::add(std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view entry = lines.substr(0, lines.find(options_.line_end) + 1);
    // Vectors that grow take half as much again, or twice.
    const uint64_t taken = 2 * (bytes_.size() + entry.size()) + 2 * sizeof(Entry) * entries_.size();
    if (taken > options_.memory_bytes && !entries_.empty()) NEARDUP_TRY(write_run());
    add_entry(entry);
    lines.remove_prefix(entry.size());
  }
  return {};
}

/// Sorts slices at the same time, and merges neighbours.
Status LineSorter::sort() {
  const auto slices = std::bit_ceil(static_cast<size_t>(options_.num_threads));
  const auto border = [&](size_t slice) {
    return entries_.begin() + static_cast<ptrdiff_t>(entries_.size() * slice / slices);
  };
  const auto before = [this](const Entry& a, const Entry& b) { return is_before(a, b); };
  NEARDUP_TRY(parallel_for(options_.num_threads, slices, [&](size_t slice, int) -> Status {
    std::sort(border(slice), border(slice + 1), before);
    return {};
  }));
  for (size_t width = 1; width < slices; width *= 2) {
    NEARDUP_TRY(options_.context.check_cancel());
    NEARDUP_TRY(parallel_for(options_.num_threads, slices / (2 * width), [&](size_t pair, int) -> Status {
      const size_t first = 2 * width * pair;
      std::inplace_merge(border(first), border(first + width), border(first + 2 * width), before);
      return {};
    }));
  }
  return {};
}

Status LineSorter::write_run() {
  NEARDUP_TRY(sort());
  NEARDUP_ASSIGN(const std::string path, options_.make_work_file(fmt::format("run-{}", runs_.size())));
  NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path, 0));
  for (const Entry& entry : entries_) NEARDUP_TRY(file.append(entry_bytes(entry)));
  NEARDUP_TRY(file.flush());
  runs_.push_back(path);
  entries_.clear();
  bytes_.clear();
  return {};
}

Status LineSorter::merge_runs(std::vector<std::string> paths, const WriteBytes& write) const {
  const auto buffer_bytes = static_cast<size_t>(
      std::clamp<uint64_t>(options_.memory_bytes / (4 * paths.size()), uint64_t{1} << 12, uint64_t{1} << 20));
  std::vector<RunReader> readers;
  std::vector<size_t> runs;
  for (const std::string& path : paths) {
    NEARDUP_ASSIGN(RunReader reader, RunReader::open(path, options_.line_end, buffer_bytes));
    readers.push_back(std::move(reader));
    NEARDUP_ASSIGN(const bool more, readers.back().next());
    if (more) runs.push_back(readers.size() - 1);
  }
  Pieces pieces(write);
  uint64_t steps = 0;
  NEARDUP_TRY(merge(
      runs, [&](size_t a, size_t b) { return is_before(readers[b].entry(), readers[a].entry()); },
      [&](size_t run) -> Result<bool> {
        if (++steps % 4096 == 0) NEARDUP_TRY(options_.context.check_cancel());
        NEARDUP_TRY(pieces.add(readers[run].entry()));
        return readers[run].next();
      }));
  NEARDUP_TRY(pieces.finish());
  for (const std::string& path : paths) NEARDUP_TRY(remove_all(path));
  return {};
}

/// Merges runs until they can be merged at once.
Status LineSorter::reduce_runs() {
  const size_t at_once = runs_at_once();
  for (size_t number = 0; runs_.size() > at_once; ++number) {
    const auto end = runs_.begin() + static_cast<ptrdiff_t>(at_once);
    const std::vector<std::string> paths(runs_.begin(), end);
    runs_.erase(runs_.begin(), end);
    NEARDUP_ASSIGN(const std::string path, options_.make_work_file(fmt::format("merged-{}", number)));
    NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path, 0));
    NEARDUP_TRY(merge_runs(paths, [&](std::string_view bytes) { return file.append(bytes); }));
    NEARDUP_TRY(file.flush());
    runs_.push_back(path);
  }
  return {};
}

Status LineSorter::finish(LineWriter& writer) {
  const WriteBytes write = [&](std::string_view bytes) -> Status {
    std::vector<std::string> pieces;
    pieces.emplace_back(bytes);
    return writer.put(pieces);
  };
  if (runs_.empty()) {
    NEARDUP_TRY(sort());
    Pieces pieces(write);
    for (const Entry& entry : entries_) NEARDUP_TRY(pieces.add(entry_bytes(entry)));
    return pieces.finish();
  }
  NEARDUP_TRY(write_run());
  bytes_ = {};
  entries_ = {};
  NEARDUP_TRY(reduce_runs());
  return merge_runs(runs_, write);
}

}  // namespace neardup::lines
