// Tokens are words and numbers, so texts that differ in a sign alone had the same ones, and a similarity of 1. Only
// what verification compares knows signs: candidates are the same with and without.
#include "neardup/recipe/token_signs.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "neardup/base/hash.h"
#include "neardup/recipe/turning_marks.h"
#include "neardup/text/utf8.h"
#include "neardup/token/numbers.h"

namespace neardup::recipe {
namespace {

bool is_unit_sign(char32_t sign) {
  return sign == U'%' || sign == U'‰' || u_charType(static_cast<UChar32>(sign)) == U_CURRENCY_SYMBOL;
}

uint32_t with_sign(uint32_t marked, char32_t sign) {
  return token::marked_hash(mix64(uint64_t{sign} << 32 | marked), token::is_marked_number(marked));
}

// Calls use(sign, whether the token before touches it) for the signs between two tokens.
template <class Use>
void each_sign(std::string_view text, size_t begin, size_t end, const Use& use) {
  bool touches = true;
  for (size_t at = begin; at < end;) {
    const char32_t sign = may_begin_sign(text[at]) ? sign_at(text, at) : 0;
    if (sign != 0) use(sign, touches);
    touches = touches && sign != 0;
    at += text::decode(text.data() + at, text.data() + text.size()).size_bytes;
  }
}

// Which token a sign in front of token `next` counts to.
size_t token_of(char32_t sign, bool touches, size_t next, size_t num_tokens) {
  if (is_unit_sign(sign) || next == num_tokens) return num_tokens - 1;
  return touches && next > 0 ? next - 1 : next;
}

}  // namespace

void add_signs(std::string_view normalized, std::span<const token::Token> tokens, std::span<uint32_t> marked) {
  size_t end = 0;  // of the tokens before
  for (size_t i = 0; i <= tokens.size() && !tokens.empty(); ++i) {
    const size_t next = i < tokens.size() ? tokens[i].begin : normalized.size();
    const bool is_blank = next == end + 1 && normalized[end] == ' ';
    if (next > end && !is_blank) {
      each_sign(normalized, end, next, [&](char32_t sign, bool touches) {
        uint32_t& token = marked[token_of(sign, touches, i, tokens.size())];
        token = with_sign(token, sign);
      });
    }
    if (i < tokens.size()) end = std::max<size_t>(end, tokens[i].begin + size_t{tokens[i].size_bytes});
  }
}

}  // namespace neardup::recipe
