// The tokenizers "words", "jieba" and "chars": mark tokens in bitmaps.
#pragma once

#include <string_view>

#include "neardup/token/bitmaps.h"
#include "neardup/token/jieba_words.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token {

/// Marks the tokens of `text` as TokenizerOptions describes them. Replaces what is in `bitmaps`.
void mark_words(std::string_view text, CjkMode cjk, Bitmaps& bitmaps);
/// The same, with what jieba cuts otherwise cut by `jieba`.
void mark_jieba(std::string_view text, CjkMode cjk, JiebaWords& jieba, Bitmaps& bitmaps);
void mark_chars(std::string_view text, Bitmaps& bitmaps);

}  // namespace neardup::token
