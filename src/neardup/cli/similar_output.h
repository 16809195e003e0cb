// Similar files as lines: TSV, JSONL, passages side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/cli/line_output.h"
#include "neardup/sif/shared_text.h"
#include "neardup/sif/similar.h"

namespace neardup::cli {

enum class SimilarForm { kTsv, kJsonl };

struct SimilarView {
  SimilarForm form = SimilarForm::kTsv;
  bool groups = false;     // groups instead of pairs
  uint64_t num_shown = 0;  // passages of each pair; JSONL: with their places, TSV: behind the line
  int columns = 80;        // of the screen, for passages side by side
};

/// Writes all pairs, or groups, of `found`. Errors: those of `output`.
[[nodiscard]] Status write_similar(const sif::SimilarFiles& found, const sif::SimilarOptions& options,
                                   const SimilarView& view, LineOutput& output);

/// Files that were not compared, by reason, and one of them (or the message about it) in printable form.
struct SkippedReason {
  std::string reason;
  uint64_t count = 0;
  std::string example;
  bool is_failure = false;  // they could not be read
};
[[nodiscard]] std::vector<SkippedReason> skipped_by_reason(const sif::SimilarFiles& found);

/// Returns what a run says of files that could not be read, for people; empty: there are none.
[[nodiscard]] std::string similar_warnings(const sif::SimilarFiles& found);

/// Returns what a run says at its end, for people: files, skipped ones by reason, pairs, passages that are not listed.
[[nodiscard]] std::string similar_summary(const sif::SimilarFiles& found);

}  // namespace neardup::cli
