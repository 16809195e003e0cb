// Which lines are nearly the same as one before them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/lines/key_maker.h"
#include "neardup/lines/long_lines.h"
#include "neardup/lines/similar_set.h"

namespace neardup::lines {

/// What became of a line.
struct SimilarFate {
  uint32_t kept = 0;     // the line that stays in its place; itself where it stays
  float similarity = 1;  // to that one
};

struct SimilarWork {
  SimilarRule rule = {};
  size_t num_minus = 0;  // so many of the lines, the first ones, are only compared with: all of them stay
  const KeyMaker* maker = nullptr;
  const LongLines* long_lines = nullptr;  // whose stand-ins stay
  uint64_t memory_bytes = 0;              // beside the lines
  int num_threads = 1;
  Context context = {};
};

/// Returns the fate of each of `lines`. Each is compared with those that stay, in their order, and goes for the first
/// that is similar; a line without a key, or whose key has no letter and no digit, stays. Complete: the result is that
/// of comparing all. Errors: kMemory, kCancelled; kUnsupported for 2^32 lines.
[[nodiscard]] Result<std::vector<SimilarFate>> find_similar(std::span<const std::string_view> lines,
                                                            const SimilarWork& work);

}  // namespace neardup::lines
