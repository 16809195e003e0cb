// Inputs that were not read to their end: more than the one record is lost that is counted for it.
#pragma once

#include <string>
#include <vector>

#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Returns a warning for each of the first inputs of which a rejection stands for more than one record (a quote that
/// does not end, compressed data that is cut off), with file, line and what was not read; and one for all others.
/// Cost: one pass over the rejections. Errors: kCorruption.
[[nodiscard]] Result<std::vector<std::string>> unread_inputs(const Documents& documents);

}  // namespace neardup::engine
