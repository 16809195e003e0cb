// Who receives the pairs of documents that are found in files of fingerprints.
#pragma once

#include <string_view>

#include "neardup/base/result.h"

namespace neardup::engine {

/// Takes pairs in order, by their ids. An Error ends the search. Threads: one at a time.
class PairReceiver {
 public:
  virtual ~PairReceiver() = default;
  /// Of fingerprints: the bits in which they differ.
  [[nodiscard]] virtual Status add(std::string_view a, std::string_view b, int distance) = 0;
  /// Of signatures: the similarity that they show, and its standard error.
  [[nodiscard]] virtual Status add(std::string_view a, std::string_view b, float similarity, float error) = 0;
  /// All pairs have been added. What a search keeps so that it can go on is removed only behind this.
  [[nodiscard]] virtual Status finish() = 0;
};

}  // namespace neardup::engine
