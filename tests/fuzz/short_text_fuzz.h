// What is kept of a short text, of any bytes: it can be read back, it is like itself, and comparing knows no order.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/recipe/short_text.h"
#include "neardup/text/normalizer.h"
#include "neardup/token/one_token.h"
#include "neardup/token/short_text.h"
#include "neardup/token/tokenizer.h"
#include "neardup/verify/short_texts.h"

inline std::vector<uint32_t> short_text_row(std::string_view bytes, neardup::token::CjkMode mode) {
  using namespace neardup;
  std::string text;
  text::Normalizer(text::NormalizeOptions{}).normalize(bytes, text);
  text.shrink_to_fit();  // so that the sanitizers see a read beyond the end
  std::vector<token::Token> tokens;
  token::Tokenizer::create({.cjk = mode, .hash_seed = 1})->tokenize(text, tokens);
  std::vector<uint32_t> row;
  recipe::short_text_features(text, tokens, mode, row);
  if (row.empty() != tokens.empty()) std::abort();
  if (!row.empty() && !token::read_short_text(row).words.empty() && token::read_short_text(row).words.back() != ' ')
    std::abort();
  return row;
}

// The bytes before and behind the first line feed are two texts.
inline int fuzz_short_text(const uint8_t* data, size_t size) {
  using namespace neardup;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t cut = std::min(all.find('\n'), all.size());
  for (const token::CjkMode mode :
       {token::CjkMode::kBigrams, token::CjkMode::kCharacters, token::CjkMode::kSyllables}) {
    const auto a = short_text_row(all.substr(0, cut), mode), b = short_text_row(all.substr(cut), mode);
    for (const auto kind : {verify::Rule::Kind::kContent, verify::Rule::Kind::kOrigin}) {
      if (verify::compare_short_texts({kind}, a, b) != verify::compare_short_texts({kind}, b, a)) std::abort();
      if (verify::short_difference({kind}, a, a) != verify::ShortDifference::kNone) std::abort();
    }
  }
  return 0;
}
