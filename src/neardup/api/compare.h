// compare(): are two texts duplicates, and why (not)?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/api/matching.h"

namespace neardup {

struct Comparison {
  bool are_duplicates = false;            // dedup would remove one of the two
  bool are_equal = false;                 // by their checksums; the figures below then say nothing more
  bool are_candidates = false;            // whether dedup would look at them at all
  double similarity = 1;                  // what the rule looks at, 0 to 1
  double asked = 0;                       // from which similarity on it accepts them
  int distance = 0;                       // values or bits that differ: the least of several fingerprints
  int distance_of = 0;                    // so many values or bits there are
  std::string verdict = {};               // "Near-duplicates: dedup would keep one of the two"
  std::vector<std::string> reasons = {};  // whole sentences, the weightiest first, in the words of `neardup explain`
};

/// Returns what dedup makes of two texts that it is given alone. What other texts have in common with them is known
/// from matching.commonness_file only; without it all words weigh the same. Slow (microseconds a word): for single
/// pairs. Errors: as Fingerprinter::create(); kInvalidArgument for an unknown rule; those of reading the files.
/// Threads: any number.
[[nodiscard]] Result<Comparison> compare(std::string_view a, std::string_view b, const Matching& matching = {});

}  // namespace neardup
