// The lines that are left by bytes, gathered until all are there, and then reduced to those that differ more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/raw_buffer.h"
#include "neardup/lines/find_similar.h"
#include "neardup/lines/options.h"

namespace neardup::lines {

/// The rule that these options ask for. Errors: kInvalidArgument for a share out of range.
[[nodiscard]] Result<SimilarRule> similar_rule(const SimilarOptions& options);

/// Threads: one at a time; compares on several.
class SimilarStage {
 public:
  /// `options`, `maker` and `long_lines`, whose stand-ins are lines that stay, must outlive it.
  SimilarStage(const LinesOptions& options, const KeyMaker& maker, const LongLines& long_lines, uint64_t memory_bytes)
      : options_(options), maker_(maker), long_lines_(long_lines), memory_bytes_(memory_bytes) {}

  /// Takes a line without its end, the `number`th (from 0) of its files, which comes `count` times. All minus lines
  /// come first. Errors: kMemory.
  [[nodiscard]] Status add(std::string_view line, uint64_t number, uint64_t count, bool is_minus);
  /// Gives the lines that stay to `write`, with their ends, and with counts of all that are removed for them where the
  /// options ask for it; tells options.similar->removed of the others. Returns how many stay and are written. Errors:
  /// those of find_similar(), `write` and `removed`; kInvalidArgument.
  [[nodiscard]] Result<uint64_t> finish(const WriteBytes& write);
  /// How many were removed for another one.
  [[nodiscard]] uint64_t num_removed() const { return num_removed_; }

 private:
  Status tell(size_t line, const SimilarFate& fate);
  Result<uint64_t> write_kept(const std::vector<SimilarFate>& fates, const WriteBytes& write) const;

  const LinesOptions& options_;
  const KeyMaker& maker_;
  const LongLines& long_lines_;
  uint64_t memory_bytes_;
  corpus::Arena text_;
  uint64_t text_bytes_ = 0;
  size_t num_minus_ = 0;
  std::vector<std::string_view> lines_;
  struct Came {
    uint64_t number = 0;
    uint64_t count = 1;
  };
  std::vector<Came> came_;
  uint64_t num_removed_ = 0;
};

}  // namespace neardup::lines
