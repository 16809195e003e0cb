// SimHash by hand: a few features with spelt-out hashes, and the counters after each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::explain {

struct WorkedFeature {
  std::string name;
  std::string bits;  // "101", first bit first
  double weight = 1;
};

struct WorkedExample {
  size_t num_bits = 0;
  std::vector<WorkedFeature> features;
};

/// Reads {"bits":3,"features":[{"name":"w1","signs":[1,-1,1],"weight":1}, {"name":"w2","hash":"011","weight":2}]}; a
/// feature has either signs or a hash, its name may be missing.
/// Errors: kInvalidArgument, naming the feature and what is allowed.
[[nodiscard]] Result<WorkedExample> parse_worked_example(std::string_view json);

/// Returns a table with the running counters, and the fingerprint.
[[nodiscard]] std::string worked_text(const WorkedExample& example);
/// Returns {"features":[{"name","weight","hash","counters"}],"counters","fingerprint"} and a line feed.
[[nodiscard]] std::string worked_json(const WorkedExample& example);

}  // namespace neardup::explain
