// The tokenizer "uax29": Unicode's word boundaries.
#pragma once

#include <cstddef>
#include <string_view>

#include "neardup/token/bitmaps.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token {

/// Returns the first word boundary of `text` after `at` (UAX #29, Unicode 15, rules WB3..WB999).
/// Requires: `text` is valid UTF-8, at < text.size(), and `at` is a boundary.
size_t next_word_boundary(std::string_view text, size_t at);

/// Marks the segments between boundaries that hold a letter or digit; units of scripts without spaces as `cjk` says.
/// Replaces what is in `bitmaps`.
void mark_uax29(std::string_view text, CjkMode cjk, Bitmaps& bitmaps);

}  // namespace neardup::token
