// What dedup makes of two texts that it is given alone: the bounds, bands and rules of a run, for a single pair.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/match/signature_match.h"
#include "neardup/engine/options.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/verify/short_texts.h"
#include "neardup/verify/verdict.h"

namespace neardup::engine {

/// By what two texts are compared.
enum class PairRoute {
  kExact,       // equal checksums: nothing more is looked at
  kTooShort,    // one of them has no features (too few tokens, or not read to its end): only an equal text could be a
                // duplicate
  kCharacters,  // both are short texts: signatures of their characters, and the similarity of these
  kMinHash,     // signatures, and the rule
  kSimHash,     // fingerprints, and the rule
};
/// Returns "exact", "too_short", "characters", "minhash" or "simhash".
[[nodiscard]] std::string_view name_of(PairRoute route);

struct PairDecision {
  PairRoute route = PairRoute::kExact;
  bool is_removed = false;    // one of the two is removed for the other
  bool is_candidate = false;  // they are compared at all
  // Of signatures:
  std::optional<SignatureMatch> match;
  int least_equal = 0;  // with fewer equal values the pair is not compared, whatever its bands
  // Of fingerprints:
  std::vector<int> distances;  // bits that differ, of each
  int max_distance = 0;        // one of them at most: candidates
  // Of both, of candidates or not:
  verify::Verdict verdict;
  double asked = 0;     // the similarity from which on they are similar
  double jaccard3 = 1;  // of token 3-grams, where the rule is content, which asks for some of that, too
  // Of kCharacters: where there is one they are not similar.
  verify::ShortDifference difference = verify::ShortDifference::kNone;
};

/// Returns the fate of `a` and `b`, which were made under options.recipe, as settle_family() leaves it. Of `options`
/// the recipe, the distance and the rule are looked at. Slow (microseconds a token). Errors: those of make_bands().
[[nodiscard]] Result<PairDecision> decide_pair(const recipe::Print& a, const recipe::Print& b,
                                               const DedupOptions& options);

}  // namespace neardup::engine
