// The bar: from which similarity on a run took two texts as near-duplicates, and how many lie just above it.
#pragma once

#include <vector>

#include "neardup/engine/match/outcome.h"
#include "neardup/engine/read/documents.h"
#include "neardup/report/figures.h"
#include "neardup/verify/rule.h"

namespace neardup::engine {

/// Returns the similarities that `rule` asks for, ascending, each with the texts that it is for; none for kNone.
/// `has_short_texts`: some were compared by their characters.
[[nodiscard]] std::vector<report::Threshold> thresholds_of(const verify::Rule& rule, bool has_short_texts);

/// Less than this above the bar is just above it.
inline constexpr double kJustAbove = 0.06;
/// Returns whether `document` is a near-duplicate that the lowest threshold of `rule` let pass by less than kJustAbove;
/// short texts compared by their characters never are.
[[nodiscard]] bool is_just_above(const Documents& documents, const Outcome& outcome, const verify::Rule& rule,
                                 uint32_t document);

}  // namespace neardup::engine
