// compare(): are two texts duplicates, and why (not)? contained(): how much of the one stands in the other?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/api/matching.h"

namespace neardup {

struct Comparison {
  bool are_duplicates = false;            // dedup would remove one of the two: b, if the rule looks at their order
  bool are_equal = false;                 // by their checksums; the figures below then say nothing more
  bool are_candidates = false;            // whether dedup would look at them at all
  double similarity = 1;                  // what the rule looks at, 0 to 1
  double asked = 0;                       // from which similarity on it accepts them
  int distance = 0;                       // values or bits that differ: the least of several fingerprints
  int distance_of = 0;                    // so many values or bits there are
  bool is_contained = false;              // the shorter one goes for the longer one, which holds it
  std::optional<double> held = {};        // share of the shorter one that the longer one holds; where `contained` asks
  std::string verdict = {};               // "Near-duplicates: dedup would keep one of the two"
  std::vector<std::string> reasons = {};  // whole sentences, the weightiest first, in the words of `neardup explain`
};

/// Returns what dedup makes of two texts that it is given alone. What other texts have in common with them is known
/// from matching.commonness_file only; without it all words weigh the same. Slow (microseconds a word): for single
/// pairs. `contained`: as in DedupFiles. Errors: as Fingerprinter::create(); kInvalidArgument for an unknown rule, and
/// where `contained` is out of range or not for this recipe; those of reading the files. Threads: any number.
[[nodiscard]] Result<Comparison> compare(std::string_view a, std::string_view b, const Matching& matching = {},
                                         double contained = 0);

/// How much of each of two texts stands in the other: the share of its tokens, 0 to 1, that lie in a run of 8 tokens
/// that the other one has, too, one after the other. 0 of a text that has fewer.
struct Contained {
  double a_in_b = 0, b_in_a = 0;
};

/// Returns that of two texts. dedup with `contained` looks at the same share, and at the lengths:
/// docs/design/contained.md. Errors: kInvalidArgument where the recipe is not set, or its tokens are single letters.
/// Threads: any number.
[[nodiscard]] Result<Contained> contained(std::string_view a, std::string_view b,
                                          const Recipe& recipe = default_recipe());

}  // namespace neardup
