// A sketch: what is looked at of a text before it is compared. Rows of Spark carry it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "column.h"
#include "matching.h"
#include "neardup/api/options_of.h"
#include "neardup/base/result.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/side_memory.h"
#include "neardup/engine/online/matcher.h"

namespace neardup::python {

/// Raises what is wrong with the words, and with SimHash that Spark cannot do.
[[nodiscard]] engine::Matcher spark_matcher_of(const MatchingWords& words, uint64_t memory_bytes);

/// Returns the bytes of a row of Arrow, which holds them: none of it needs room. Null is told as an empty text.
[[nodiscard]] std::string_view bytes_at(const Column& column, uint64_t row);

/// Returns the sketch of `side`: fingerprints and signatures; empty where it has no features.
[[nodiscard]] std::string sketch_of(const engine::PairSide& side);

/// Reads sketches. Threads: one at a time.
class Sketch {
 public:
  /// `number` tells texts apart: no two are equal, these were told by their checksums. Errors: kCorruption.
  [[nodiscard]] Status read(std::string_view bytes, uint64_t number);
  /// Returns what Decision::route() and meet() look at, valid until the next read().
  [[nodiscard]] const engine::PairSide& side() const { return side_; }

 private:
  engine::PairSide side_;
  engine::SideMemory memory_;
  std::vector<fingerprint::Fingerprint> fingerprints_;
};

/// Returns what damaged bytes are told as.
[[nodiscard]] Status damaged_on_the_way();

}  // namespace neardup::python
