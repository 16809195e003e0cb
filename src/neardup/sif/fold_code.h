// Source code without what is changed to hide where it is from: white space, comments, names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/sif/options.h"

namespace neardup::sif {

/// Returns the number of the language that the ending of `path` names, below that of its compression; 0 where none
/// does, or `fold` does not ask for it.
[[nodiscard]] uint32_t language_of(Fold fold, std::string_view path);

/// Where a byte of folded code is from: bytes [begin, end) of the source.
struct Origin {
  uint32_t begin = 0, end = 0;
};

/// Replaces `out` by `source` without white space and comments, each identifier one letter ("v"). Keywords of the
/// language, numbers, signs and string literals stay. Strings that are statements of their own (of Python and
/// Julia) are comments. Any bytes are taken. `origins`, if not null: of each byte of `out`. Cost: linear. Requires:
/// language != 0; source.size() <= UINT32_MAX.
void fold_code(std::string_view source, uint32_t language, std::string& out, std::vector<Origin>* origins = nullptr);

}  // namespace neardup::sif
