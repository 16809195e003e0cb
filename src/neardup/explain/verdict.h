// In words: what dedup makes of two texts, and why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/engine/match/pair_decision.h"
#include "neardup/engine/options.h"
#include "neardup/recipe/explain.h"

namespace neardup::explain {

struct VerdictText {
  std::string name;   // "exact", "near", "contained", "missed", "not_similar", "too_short" or "kept_apart"
  std::string title;  // "Near-duplicates: dedup would keep one of the two"
  std::vector<std::string> reasons;  // whole sentences, the weightiest first
};

/// `options`: those of the decision. `a`, `b`: the two texts.
[[nodiscard]] VerdictText verdict_text(const engine::PairDecision& decision, const engine::DedupOptions& options,
                                       const recipe::Explanation& a, const recipe::Explanation& b);

/// Returns the title without what dedup would make of the two ("Near-duplicates"), for who runs no dedup. A view of it.
[[nodiscard]] std::string_view finding_of(const VerdictText& verdict);

}  // namespace neardup::explain
