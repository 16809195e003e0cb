// The stages of a run and their shares of its time, for those who tell how long it will still take.
#pragma once

#include <vector>

#include "neardup/base/context.h"
#include "neardup/engine/options.h"

namespace neardup::engine {

/// Returns the stages in order, under the names that they begin with. Reading all inputs is 1; of it `read_share` (0 to
/// 1) is still to be done. Requires: the family is settled. The shares are those of a corpus of 78,000 documents; what
/// the documents have in common moves that of matching between a tenth and four.
[[nodiscard]] std::vector<StageShare> stage_plan(const DedupOptions& options, double read_share = 1);

}  // namespace neardup::engine
