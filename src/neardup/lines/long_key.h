// The key of a line that is too long for memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "neardup/lines/key_maker.h"
#include "neardup/lines/long_lines.h"

namespace neardup::lines {

struct LongKeyMeans {
  const KeyMaker* maker = nullptr;
  LongLines* keys = nullptr;   // where keys go that are too long, too
  uint64_t key_bytes = 0;      // longer ones are: no line that is not long may have one
  uint64_t pattern_bytes = 0;  // no longer line is compared by a regular expression
};

/// Returns what KeyMaker::key() returns for line `number` of `lines`, or a mark of means.keys where that is longer than
/// means.key_bytes. Memory: means.key_bytes, and the line where there is a pattern. Errors: kMemory where a pattern
/// wants a line that is too long; kDiskFull, kIo.
[[nodiscard]] Result<std::optional<std::string>> long_key(const LongKeyMeans& means, const LongLines& lines,
                                                          uint64_t number);

}  // namespace neardup::lines
