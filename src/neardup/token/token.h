// token: normalised text -> tokens.
//
//   NEARDUP_ASSIGN(auto tokenizer, token::Tokenizer::create({}));
//   std::vector<token::Token> tokens;
//   tokenizer.tokenize("near duplicates 中文", tokens);   // near, duplicates, 中文
#pragma once

#include "neardup/token/jieba.h"
#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"
