// Text without what editors and systems change: line ends, tabs, indents, blanks at the ends of lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/sif/fold_code.h"

namespace neardup::sif {

/// Replaces `out` by `text` with each row of white space (of ASCII) as one blank, without that at both ends, and
/// without a byte order mark of UTF-8. `origins`, if not null: of each byte of `out`. Cost: linear. Requires:
/// text.size() <= UINT32_MAX.
void fold_space(std::string_view text, std::string& out, std::vector<Origin>* origins = nullptr);

}  // namespace neardup::sif
