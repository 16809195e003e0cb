// Bitmaps -> tokens with their hashes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/token/bitmaps.h"
#include "neardup/token/one_token.h"

namespace neardup::token {

/// Replace `out` by the tokens that `bitmaps` marks in `text`. Cost: a few cycles per token.
void emit_tokens(std::string_view text, const Bitmaps& bitmaps, uint64_t seed, std::vector<Token>& out);
void emit_hashes(std::string_view text, const Bitmaps& bitmaps, uint64_t seed, std::vector<uint64_t>& out);

}  // namespace neardup::token
