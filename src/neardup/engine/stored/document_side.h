// What was read of a document of a run, as a decision looks at it.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/engine/match/side_memory.h"
#include "neardup/engine/read/documents.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// Threads: one at a time.
class DocumentSide {
 public:
  /// Reads a document of the run, made under `recipe`. Errors: of reading.
  [[nodiscard]] Status read(const Documents& documents, uint32_t document, const recipe::Recipe& recipe);
  /// Returns what was read; valid until the next read().
  [[nodiscard]] const PairSide& side() const { return side_; }

 private:
  PairSide side_;
  std::vector<fingerprint::Fingerprint> fingerprints_;
  SideMemory memory_;
};

}  // namespace neardup::engine
