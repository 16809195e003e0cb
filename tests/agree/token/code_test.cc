// The tokenizer "code" against the obvious walk over single bytes, on random ASCII in which no literal or comment
// begins.
#include <gtest/gtest.h>

#include <cctype>
#include <random>
#include <string>
#include <vector>

#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A number goes on behind a point that a digit follows.
bool goes_on(const std::string& text, uint32_t begin, uint32_t end) {
  if (end == text.size() || !is_word(text[begin])) return false;
  const bool is_point = text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]);
  return is_word(text[end]) || (is_digit(text[begin]) && is_point);
}

std::vector<Token> obvious(const std::string& text) {
  std::vector<Token> tokens;
  for (uint32_t at = 0; at < text.size();) {
    uint32_t end = at + 1;
    while (goes_on(text, at, end)) ++end;
    if (text[at] > ' ' && text[at] < 0x7F)
      tokens.push_back({at, end - at, token_hash(std::string_view(text).substr(at, end - at), 3)});
    at = end;
  }
  return tokens;
}

TEST(Code, IsTheObviousWalkOverAscii) {
  std::mt19937 random(5);
  Tokenizer tokenizer = *Tokenizer::create({.tokenizer = "code", .hash_seed = 3});
  std::vector<Token> tokens;
  for (int round = 0; round < 3000; ++round) {
    std::string text(random() % 300, ' ');
    const int kind = static_cast<int>(random() % 3);
    for (char& c : text) {
      if (kind == 0) c = static_cast<char>(1 + random() % 127);
      if (kind == 0 && std::string_view("/#-;%<\"'").find(c) != std::string_view::npos) c = '.';
      if (kind == 1) c = "ab_1.+(\n"[random() % 8];
      if (kind == 2) c = random() % 90 == 0 ? ',' : 'x';
    }
    tokenizer.tokenize(text, tokens);
    ASSERT_EQ(tokens, obvious(text)) << text;
  }
}

}  // namespace
}  // namespace neardup::token
