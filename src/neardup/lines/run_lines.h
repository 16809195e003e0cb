// One run of unique_lines(), step by step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "neardup/base/disk/temporary_folder.h"
#include "neardup/lines/block_reader.h"
#include "neardup/lines/key_maker.h"
#include "neardup/lines/line_chunk.h"
#include "neardup/lines/line_input.h"
#include "neardup/lines/line_sorter.h"
#include "neardup/lines/line_writer.h"
#include "neardup/lines/long_lines.h"
#include "neardup/lines/options.h"
#include "neardup/lines/seen_lines.h"
#include "neardup/lines/similar_stage.h"
#include "neardup/lines/solve_parts.h"
#include "neardup/lines/verdict_file.h"

namespace neardup::lines {

/// Shares out the memory of a run. Errors: kInvalidArgument where it is less than kSmallestMemory.
[[nodiscard]] Result<LinesMemory> plan_lines_memory(const LinesOptions& options);

/// Lines go out at once while it is known of each whether it comes first. Where that, or how often it comes, is known
/// only at the end, they are read again.
class LinesRun {
 public:
  LinesRun(const LinesOptions& options, const WriteBytes& write);
  /// With another division of memory than plan_lines_memory() makes: for tests.
  LinesRun(const LinesOptions& options, const LinesMemory& memory, const WriteBytes& write);
  /// Errors: those of unique_lines().
  [[nodiscard]] Result<LinesTotals> run();

 private:
  Status open();
  void map_inputs();
  Status read_minus();
  Status read_inputs();
  Status read_block(const LineBlock& block);
  Status put_off(const LineBlock& block);
  Status write_lists();
  Status write_verdicts();
  Status write_wanted(const LineBlock& block, std::vector<VerdictReader>& verdicts);
  Status put_chunks(const LineBlock& block);
  Status add_to_similar(uint64_t first, bool is_minus);
  Status finish_similar();
  void number_chunks();
  [[nodiscard]] LongLineMeans long_line_means(bool makes_keys);
  [[nodiscard]] size_t num_chunks() const {
    const uint64_t most = std::max<uint64_t>(1, memory_.block_bytes >> 15);
    return static_cast<size_t>(std::min<uint64_t>(4 * static_cast<uint64_t>(num_threads_), most));
  }
  Result<std::string> work_file(std::string_view name);
  /// Whether counts are looked at after it is known which lines are written.
  [[nodiscard]] bool marks_counts() const { return options_.count || (similar_ && counts()); }
  [[nodiscard]] bool counts() const { return hold_ == Hold::kCounts; }
  void begin_stage(std::string_view stage, std::span<const LineInput> inputs) const;

  const LinesOptions& options_;
  const int num_threads_;
  Hold hold_ = Hold::kBytes;
  const uint64_t seed_;  // of the hashes: nobody can make lines that meet in them
  std::optional<LinesMemory> given_memory_;
  LinesMemory memory_;
  LinesTotals totals_;
  std::optional<KeyMaker> maker_;
  std::optional<TemporaryFolder> folder_;
  std::vector<LineInput> minus_, inputs_;
  std::vector<LineInput> mapped_;  // those of both
  uint64_t bytes_ = 0;             // of their files; 0 where nobody knows
  std::optional<SeenLines> seen_;
  std::vector<LineChunk> chunks_;
  LongLines long_lines_, long_keys_;
  LineWriter writer_;
  std::optional<SimilarStage> similar_;
  std::optional<LineSorter> sorter_;
  uint64_t position_ = 0;  // of the next line that is read, those of the minus files first
  Wanted wanted_;

  // Where lines are read again: from this place of the inputs on, or all of a copy.
  std::optional<Place> again_;
  uint64_t again_position_ = 0;
  std::optional<AppendFile> copy_;
  std::string copy_path_;
  std::optional<VerdictFile> keyless_;  // the lines without a key of that part
  std::vector<VerdictFile> verdicts_;
};

}  // namespace neardup::lines
