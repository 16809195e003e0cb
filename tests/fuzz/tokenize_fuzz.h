// Tokenizing any text, repaired first: tokens lie in the text in order, begin and end between characters, and the two
// ways to ask for hashes agree.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "neardup/text/normalizer.h"
#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"

inline bool is_character_border(const std::string& text, size_t at) {
  return at == text.size() || (static_cast<uint8_t>(text[at]) & 0xC0) != 0x80;
}

inline void check_tokens(const std::string& text, const std::vector<neardup::token::Token>& tokens) {
  size_t last_begin = 0;
  for (const auto& token : tokens) {
    const size_t end = size_t{token.begin} + token.size_bytes;
    if (token.size_bytes == 0 || end > text.size()) std::abort();
    if (&token != tokens.data() && token.begin <= last_begin) std::abort();
    if (!is_character_border(text, token.begin) || !is_character_border(text, end)) std::abort();
    if (token.hash != neardup::token::token_hash({text.data() + token.begin, token.size_bytes}, 1)) std::abort();
    last_begin = token.begin;
  }
}

inline int fuzz_tokenize(const uint8_t* data, size_t size) {
  using namespace neardup;
  std::string text;
  text::Normalizer({.normalization = text::Normalization::kNone, .collapse_space = false})
      .normalize({reinterpret_cast<const char*>(data), size}, text);
  text.shrink_to_fit();  // so that the sanitizers see a read beyond the end
  std::vector<token::Token> tokens;
  std::vector<uint64_t> hashes;
  for (const std::string& name : token::tokenizer_names()) {
    if (name == "jieba") continue;  // needs a dictionary: jieba_cut_fuzz.h
    for (const token::CjkMode mode :
         {token::CjkMode::kBigrams, token::CjkMode::kCharacters, token::CjkMode::kSyllables}) {
      token::Tokenizer tokenizer = *token::Tokenizer::create({.tokenizer = name, .cjk = mode, .hash_seed = 1});
      tokenizer.tokenize(text, tokens);
      check_tokens(text, tokens);
      tokenizer.hashes(text, hashes);
      if (hashes.size() != tokens.size()) std::abort();
      for (size_t i = 0; i < hashes.size(); ++i) {
        if (hashes[i] != tokens[i].hash) std::abort();
      }
    }
  }
  return 0;
}
