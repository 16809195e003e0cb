// Lines in the order of their bytes, however many they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/lines/line_input.h"
#include "neardup/lines/line_writer.h"

namespace neardup::lines {

/// Gathers lines in memory, sorted runs of them on disk, and merges these. Threads: one at a time; sorts on several.
class LineSorter {
 public:
  struct Options {
    uint64_t memory_bytes = 0;
    char line_end = '\n';
    bool has_counts = false;  // what stands before the first tab is no part of the line
    int num_threads = 1;
    MakeWorkFile make_work_file;
    Context context;
    const LongLines* long_lines = nullptr;  // whose stand-ins are lines, too, in the order of what they stand for
  };
  explicit LineSorter(Options options) : options_(std::move(options)) {}

  /// Takes whole lines, each with its end, none longer than memory. Errors: kDiskFull, kIo, kCancelled.
  [[nodiscard]] Status add(std::string_view lines);
  /// Gives all lines to `writer`. Errors: as add(), and those of the writer.
  [[nodiscard]] Status finish(LineWriter& writer);

 private:
  struct Entry {
    uint64_t prefix = 0;  // the first bytes of the line, as a number in their order
    uint64_t begin = 0;   // in bytes_
    uint64_t size = 0;    // with its end
  };
  [[nodiscard]] std::string_view line_of(std::string_view entry) const;
  [[nodiscard]] std::string_view entry_bytes(const Entry& entry) const;
  [[nodiscard]] bool is_before(const Entry& a, const Entry& b) const;
  [[nodiscard]] bool is_before(std::string_view entry, std::string_view other) const;
  [[nodiscard]] size_t runs_at_once() const;
  void add_entry(std::string_view entry);
  Status sort();
  Status write_run();
  Status merge_runs(std::vector<std::string> paths, const WriteBytes& write) const;
  Status reduce_runs();

  Options options_;
  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<std::string> runs_;  // paths
  uint64_t longest_ = 0;           // of the entries
};

}  // namespace neardup::lines
