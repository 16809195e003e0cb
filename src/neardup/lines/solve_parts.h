// The lines that come first, of those whose keys are on disk.
#pragma once

#include <cstdint>
#include <span>

#include "neardup/base/context.h"
#include "neardup/lines/line_set.h"
#include "neardup/lines/options.h"
#include "neardup/lines/part_files.h"
#include "neardup/lines/verdict_file.h"

namespace neardup::lines {

/// Whether a line is written: by `show`, and not those of the minus files, which were read first.
struct Wanted {
  Show show = Show::kAll;
  uint64_t first = 0;  // lines before this position are never written
  [[nodiscard]] bool operator()(uint64_t position, uint64_t count) const {
    if (position < first) return false;
    return show == Show::kAll || (count > 1) == (show == Show::kRepeated);
  }
};

struct PartWork {
  Hold hold = Hold::kBytes;
  Wanted wanted = {};
  uint64_t set_bytes = 0;  // of all threads
  uint64_t buffer_bytes = 0;
  uint64_t seed = 0;  // of the hashes that lines were spread over the parts by
  Context context = {};
};

/// Writes the verdicts on all keys of `parts`, thread i to verdicts[i]; the part files are removed. A part that is
/// larger than its share of memory is spread over files by another hash. Errors: kIo, kDiskFull, kCorruption,
/// kCancelled.
[[nodiscard]] Status solve_parts(const PartWork& work, PartFiles& parts, std::span<VerdictFile> verdicts);

}  // namespace neardup::lines
