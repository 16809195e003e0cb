// Duplicate lines, measured: in memory by their bytes, by hashes, and on disk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/bench/measurement.h"

namespace neardup::bench {

struct LinesBench {
  std::vector<std::string> inputs;  // empty: made-up lines
  uint64_t count = 0;               // of those; 0: 10 million, 650 MB in the place for temporary files
  int num_threads = 0;
  Context context;
};

/// Returns "lines" by family: bytes (all in memory, the bytes decide), fast (128-bit hashes decide) and disk (with a
/// quarter of the input's size as memory, where that is not too little), each over the same lines, whose output goes
/// nowhere; count is the lines read, bytes_per_item their mean length. Made-up lines have 48 to 81 letters, three in
/// ten repeat an earlier one. Errors: those of lines::unique_lines().
[[nodiscard]] Result<std::vector<Measurement>> measure_lines(const LinesBench& bench);

}  // namespace neardup::bench
