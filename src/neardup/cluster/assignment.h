// What became of one document, and what clustering asks for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "neardup/base/context.h"

namespace neardup::cluster {

/// Is this candidate pair really similar, and how much? Called from many threads at once. The answer must depend on the
/// pair alone.
struct Likeness {
  bool similar = false;
  float similarity = 0;
};
using Verify = std::function<Result<Likeness>(uint32_t better, uint32_t worse)>;

/// What became of one document.
struct Assignment {
  uint32_t kept = 0;      // rank of the kept document of its cluster; its own rank where it is kept itself
  float similarity = 1;   // to the kept document
  uint32_t distance = 0;  // as in Candidate; kUnknownDistance of components
  bool operator==(const Assignment&) const = default;
};

struct ClusterOptions {
  int num_threads = 0;          // 0 = all cores
  uint32_t num_references = 0;  // ranks below this are given (--reference): always kept, never compared with each other
  uint64_t total_candidates = 0;  // for progress only; 0 = unknown
  Context context = {};
  std::string_view stage = "cluster";  // what the progress of star_clusters() is called
  // For band_stars alone: the others are compared with these only, and not with each other.
  bool only_with_references = false;
  // The rest is for component_clusters alone.
  // Starts the candidates again from the first; without it no distance is known afterwards.
  std::function<Status()> rewind = nullptr;
  // The exact similarity of two documents that need not be similar; without it `verify` is asked.
  std::function<Result<float>(uint32_t better, uint32_t worse)> similarity = nullptr;
};

}  // namespace neardup::cluster
