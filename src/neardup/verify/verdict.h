// What comparing two texts gives.
#pragma once

#include <cstdint>

namespace neardup::verify {

struct Verdict {
  bool similar = false;
  bool exact = true;     // false: the pair was dismissed early, and `similarity` bounds its Jaccard similarity (for
                         // kContent J3, not content_similarity()) from above; or `similarity` is an estimate
  float similarity = 0;  // what the rule looked at, 0..1: content_similarity(), or a Jaccard similarity; for kNone J3
  bool other_numbers = false;  // with templates: similar enough, but refused for the numbers
  bool any_counts = false;     // of kContent, similar: it is so however common what both have may be (Rule::common)
  bool held = false;           // where contained texts are left out: similar, but the longer one holds the shorter one
  bool operator==(const Verdict&) const = default;
};

/// Numbers at places that both texts have, and how many of them are the same; each number has two places.
struct NumberMatch {
  uint64_t same = 0;
  uint64_t placed = 0;
  bool operator==(const NumberMatch&) const = default;
};

}  // namespace neardup::verify
