// The tokenizer "code": marks tokens of source code in bitmaps.
#pragma once

#include <string_view>

#include "neardup/token/bitmaps.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token {

/// Marks the tokens of `text` as TokenizerOptions describes them. Replaces what is in `bitmaps`.
void mark_code(std::string_view text, CjkMode cjk, Bitmaps& bitmaps);

}  // namespace neardup::token
