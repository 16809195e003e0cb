// feature: tokens -> weighted features.
#pragma once

#include <cstdint>

namespace neardup::feature {

/// A feature (a token or an n-gram of tokens) of one document.
struct Feature {
  uint64_t hash = 0;   // well mixed; its bits vote in the SimHash
  float weight = 1;    // > 0
};

}  // namespace neardup::feature
