// Cutting any bytes: words lie one behind the other and cover the text, in full and search mode they lie within it, and
// the tokenizer cuts runs of Han characters as the segmenter does.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/text/normalizer.h"
#include "neardup/token/jieba.h"
#include "neardup/token/jieba_blocks.h"
#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"
#include "tests/fuzz/jieba_sample.h"

inline void check_words_cover(std::string_view text, const std::vector<neardup::token::Word>& words) {
  size_t at = 0;
  for (const auto& word : words) {
    if (word.begin != at || word.size_bytes == 0) std::abort();
    at += word.size_bytes;
  }
  if (at != text.size()) std::abort();
}

inline int fuzz_jieba_cut(const uint8_t* data, size_t size) {
  using namespace neardup::token;
  static const auto dictionary = JiebaDictionary::from_bytes(compiled_sample("杨洋 0\n中中中\n")).value();
  JiebaSegmenter segmenter(dictionary);
  std::vector<Word> words;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const bool hmm : {true, false}) {
    segmenter.cut(bytes, {CutMode::kAccurate, hmm}, words);
    check_words_cover(bytes, words);
  }
  for (const CutMode mode : {CutMode::kSearch, CutMode::kFull}) {
    segmenter.cut(bytes, {mode, true}, words);
    for (const Word& word : words) {
      const bool is_empty = word.size_bytes == 0 && mode != CutMode::kFull;  // as jieba's own full mode has them
      if (is_empty || size_t{word.begin} + word.size_bytes > size) std::abort();
    }
  }
  if (const auto keywords = extract_keywords(*dictionary, segmenter, bytes, 5); !keywords || keywords->size() > 5) {
    std::abort();
  }
  std::string text;
  neardup::text::Normalizer({.normalization = neardup::text::Normalization::kNone, .collapse_space = false})
      .normalize(bytes, text);
  text.shrink_to_fit();
  Tokenizer tokenizer = Tokenizer::create({.tokenizer = "jieba", .dictionary = dictionary}).value();
  std::vector<Token> tokens;
  tokenizer.tokenize(text, tokens);
  size_t last_begin = 0;
  for (const Token& token : tokens) {
    if (token.size_bytes == 0 || size_t{token.begin} + token.size_bytes > text.size()) std::abort();
    if (&token != tokens.data() && token.begin <= last_begin) std::abort();
    last_begin = token.begin;
  }
  return 0;
}
