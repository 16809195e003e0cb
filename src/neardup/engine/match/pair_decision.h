// What dedup makes of a single pair, and by which bounds, bands and similarities: a Decision with all that it looked
// at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/signature_match.h"
#include "neardup/engine/options.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/verify/held.h"
#include "neardup/verify/short_texts.h"
#include "neardup/verify/verdict.h"

namespace neardup::engine {

/// What keeps two documents apart, however similar they are.
enum class KeptApart { kNo, kByField, kBySize };  // --within, --size-within

/// What the longer of two texts holds of the other, where options.contained asks for it.
struct PairContainment {
  bool a_is_shorter = false;      // by tokens
  bool is_longer_enough = false;  // verify::is_longer()
  double asked = 0;               // verify::share_to_hold()
  verify::HeldTokens held;        // no token counts as common: that is known in a corpus alone
  bool is_contained = false;
};

struct PairDecision {
  PairRoute route = PairRoute::kExact;
  bool is_removed = false;    // b is removed for a, as an equal or similar text
  bool is_candidate = false;  // they are compared at all, were it not for `apart`
  KeptApart apart = KeptApart::kNo;
  double size_difference = 0;  // of the normalised texts: share of the larger one
  // Of signatures:
  std::optional<SignatureMatch> match;
  int least_equal = 0;  // with fewer equal values the pair is not compared, whatever its bands
  // Of fingerprints:
  std::vector<int> distances;                  // bits that differ, of each
  int max_distance = 0;                        // one of them at most: candidates
  std::optional<uint64_t> num_documents = {};  // where --distance auto chose it: for a run of about so many
  // Of both, of candidates or not:
  verify::Verdict verdict;
  double asked = 0;     // the similarity from which on they are similar
  double jaccard3 = 1;  // of token 3-grams, where the rule is content, which asks for some of that, too
  std::optional<PairContainment> held = {};
  // Of kCharacters: where there is one they are not similar.
  verify::ShortDifference difference = verify::ShortDifference::kNone;
};

/// Returns the fate of `a` and `b`, which were made under options.recipe, as settle_family() leaves it. Of `options`
/// the recipe, the distance, num_documents, the rule and size_within are looked at. `same_within`: the values of the
/// --within field are equal, or none is asked for. Slow (microseconds a token). Errors: those of Decision::create().
[[nodiscard]] Result<PairDecision> decide_pair(const recipe::TextFingerprint& a, const recipe::TextFingerprint& b,
                                               const DedupOptions& options, bool same_within = true);

}  // namespace neardup::engine
