// Korean by syllables: spacing is a matter of taste.
#include <gtest/gtest.h>

#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"

namespace neardup::token::korean_test {
namespace {

using Strings = std::vector<std::string>;

Strings tokens_of(const std::string& text, const std::string& tokenizer = "words", CjkMode mode = CjkMode::kSyllables) {
  std::vector<Token> tokens;
  Tokenizer::create({.tokenizer = tokenizer, .cjk = mode}).value().tokenize(text, tokens);
  Strings strings;
  for (const Token& token : tokens) strings.push_back(text.substr(token.begin, token.size_bytes));
  return strings;
}

TEST(Korean, SyllablesAreTokens) {
  EXPECT_EQ(tokens_of("할 수있다"), (Strings{"할", "수", "있", "다"}));
  EXPECT_EQ(tokens_of("2026년 mp3를, 中国과"), (Strings{"2026", "년", "mp3", "를", "中", "国", "과"}));
  EXPECT_EQ(tokens_of("힣가"), (Strings{"힣", "가"})) << "the last one and the first";
}

TEST(Korean, SpacingMakesNoDifference) {
  for (const char* tokenizer : {"words", "uax29"}) {
    EXPECT_EQ(tokens_of("할 수 있는 것 같다.", tokenizer), tokens_of("할수있는것같다.", tokenizer));
    EXPECT_EQ(tokens_of("데이터 베이스를 쓴다", tokenizer), tokens_of("데이터베이스를쓴다", tokenizer));
  }
}

TEST(Korean, OtherModesKeepTheWords) {
  for (const CjkMode mode : {CjkMode::kBigrams, CjkMode::kCharacters}) {
    EXPECT_EQ(tokens_of("한국어를 공부합니다.", "words", mode), (Strings{"한국어를", "공부합니다"}));
    EXPECT_EQ(tokens_of("값=x", "code", mode), (Strings{"값", "=", "x"}));
  }
  EXPECT_EQ(tokens_of("이름=x", "code"), (Strings{"이", "름", "=", "x"}));
}

TEST(Korean, OldLettersAreLetters) {
  EXPECT_EQ(tokens_of("\u1112\u119E\u11AB ㅋㅋ"), (Strings{"\u1112\u119E\u11AB", "ㅋㅋ"}));
}

}  // namespace
}  // namespace neardup::token::korean_test
