// What posts of forums repeat of others: [quote]...[/quote].
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "neardup/text/quote_digest.h"

namespace neardup::text {

/// Replaces `out` by `text` without what stands between "[quote]" ("[QUOTE=Ann;12]", "[quote=\"ann, post:2\"]") and the
/// "[/quote]" that belongs to it, adds what was left out to `digest`, and returns how many lines that took. Returns 0,
/// leaves `out` empty and `digest` as it was, where there is none, or marks are left over. `text` must not lie in
/// `out`. Cost: a search in texts that have none.
size_t leave_out_forum_quotes(std::string_view text, std::string& out, QuoteDigest& digest);

}  // namespace neardup::text
