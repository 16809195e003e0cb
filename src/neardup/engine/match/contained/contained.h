// Documents that others contain (--contained): found by passages, verified on their tokens, removed for the long one.
#pragma once

#include "neardup/engine/match/match_strategies.h"

namespace neardup::engine {

/// A passage that more documents have, of one value of the --within field, is common: a licence, a footer. It proposes
/// no pair, and does not count as held.
inline constexpr uint32_t kMostHolders = 16;

/// Whether two texts that have `num_shared` passages in common are compared, of the `num_own` of the shorter one that
/// are not common: a quarter of what is asked, since edits take more passages than tokens.
[[nodiscard]] inline bool have_enough_passages(uint64_t num_shared, uint64_t num_own, double asked) {
  return static_cast<double>(num_shared) >= asked / 4 * static_cast<double>(num_own);
}

/// Removes from what `matches` keeps the groups of which another kept one holds options.contained of the tokens. A
/// group goes to the longest kept one that holds it and, as verified as well, each of those that were removed for it;
/// references come before all others, and stay. Whom the keep rule ranks by a field is not removed for one that it
/// ranks lower. With options.write_pairs all verified pairs are appended to the file of pairs.
/// docs/design/contained.md. Requires: options.contained. Errors: those of reading tokens and of scratch files,
/// kCancelled.
[[nodiscard]] Status remove_contained(const MatchSetting& setting, Matches& matches);

}  // namespace neardup::engine
