// Is a candidate pair really similar, as far as its two signatures can tell? For texts that are gone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// What two MinHash signatures show of a pair.
struct SketchEvidence {
  size_t num_equal = 0;         // values in which they agree (fingerprint::count_equal())
  size_t num_values = 0;        // of each signature
  int ngram = 3;                // tokens in the features that were signed
  uint64_t smaller_tokens = 0;  // of the text with fewer; 0 = not known, taken for a long text
};

struct SketchVerdict {
  Verdict verdict;           // never exact: `similarity` is an estimate of what the rule looks at
  float standard_error = 0;  // of verdict.similarity
};

/// Decides by the rule as compare_tokens() would, were the similarity what the signatures make it seem.
/// The similarity of the signed n-grams is estimated without bias, with the error of jaccard_error() at most. Where the
/// rule looks at grams of another length m, the share s of common grams becomes s^((m + 4) / (n + 4)): an edit of five
/// tokens, a common one, destroys n + 4 grams of n tokens. Whether a text is long enough for origin's lower threshold
/// is told by its number of tokens less one, which its distinct 2-grams do not exceed. Requires: num_equal <=
/// num_values, 0 < num_values, not rule.templates: signatures know no numbers. See docs/design/minhash.md for how often
/// it errs.
[[nodiscard]] SketchVerdict judge_sketch(const Rule& rule, const SketchEvidence& evidence);

/// Returns the fewest equal values with which judge_sketch() accepts a pair of long texts; num_values + 1 where it
/// never does. Fewer are never accepted, whatever the texts.
[[nodiscard]] size_t least_equal(const Rule& rule, size_t num_values, int ngram);

}  // namespace neardup::verify
