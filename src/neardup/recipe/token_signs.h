// Signs that turn the meaning of the words beside them, in texts of any length.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "neardup/token/one_token.h"

namespace neardup::recipe {

/// Makes the signs of a text that say something (sign_at()) part of the hashes of its tokens: "-5" is another token
/// than "5", "c++" than "c". A sign counts to the token that it touches behind, else to the next one. %, per mille and
/// currencies, which other texts write in words, all count to the last token: they part no more than that.
/// `marked`: token::marked_hash() of each of `tokens`, which come from `normalized`; what that says of numbers stays.
/// Cost: a look at what stands between two tokens.
void add_signs(std::string_view normalized, std::span<const token::Token> tokens, std::span<uint32_t> marked);

}  // namespace neardup::recipe
