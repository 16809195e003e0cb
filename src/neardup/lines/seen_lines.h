// All lines that were seen: in memory while they fit, then on disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "neardup/lines/line_chunk.h"
#include "neardup/lines/line_set.h"
#include "neardup/lines/part_files.h"
#include "neardup/lines/verdict_file.h"

namespace neardup::lines {

/// What the memory of a run is divided into.
struct LinesMemory {
  uint64_t block_bytes = 0;  // of one block of input
  uint64_t set_bytes = 0;    // of all sets together
  uint64_t part_buffer_bytes = 0;
  uint64_t sort_bytes = 0;
  uint64_t similar_bytes = 0;
  uint64_t mapped_bytes = 0;                  // of set_bytes, for inputs that are mapped; if they have more, none is
  uint64_t long_line_bytes = ~uint64_t{0};    // longer lines are not held in memory; LongLineMeans::most_bytes
  uint64_t window_bytes = uint64_t{1} << 27;  // that decompressing an input may hold
  uint64_t pattern_bytes = ~uint64_t{0};      // but for a regular expression, up to so many bytes
};

/// Once full the sets change no more: what they have is known to be a repetition, and the keys of all other lines go to
/// part files, in the order of the lines. Threads: one at a time; add() makes its own.
class SeenLines {
 public:
  /// `prefix`: of the paths of part files.
  SeenLines(Hold hold, const LinesMemory& memory, const std::string& prefix, int num_threads);

  /// Adds the keys of the chunks, which follow one another. While all fits LineChunk::writes of repetitions becomes 0;
  /// once is_full(), what is written is known only after solve_parts(). Errors: kDiskFull, kIo.
  [[nodiscard]] Status add(std::span<LineChunk> chunks);
  /// This share of all lines, from 0 to 1, was added so far.
  void expect_rest(double share);
  [[nodiscard]] bool is_full() const { return is_full_; }
  /// Keys in the part files.
  [[nodiscard]] uint64_t num_parted() const;
  /// Calls use(position, count) for each line that came first in memory, by the order of the lines in each part.
  /// Requires: Hold::kCounts.
  template <class Use>
  void each(size_t part, const Use& use) const {
    sets_[part].each(use);
  }
  /// Gives up the sets and returns the part files, all on disk. Errors: kDiskFull, kIo.
  [[nodiscard]] Status release(PartFiles& parts);

 private:
  [[nodiscard]] bool fits(std::span<const LineChunk> chunks) const;
  void add_part(size_t part, std::span<LineChunk> chunks);
  Status look_up_part(size_t part, std::span<LineChunk> chunks);

  Hold hold_;
  uint64_t set_bytes_;
  int num_threads_;
  bool is_full_ = false;
  std::vector<LineSet> sets_;
  PartFiles parts_;
};

/// The bytes of `key` as part files hold them; `digest` is memory for those of Hold::kHashes.
[[nodiscard]] std::string_view part_key(const LineKey& key, Hold hold, std::array<char, 16>& digest);

}  // namespace neardup::lines
