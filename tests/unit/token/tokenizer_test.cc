#include "neardup/token/tokenizer.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <string>
#include <vector>

#include "neardup/text/normalizer.h"
#include "neardup/token/one_token.h"
#include "neardup/token/stop_words.h"

namespace neardup::token::tokenizer_test {
namespace {

using Strings = std::vector<std::string>;

std::string normalized(std::string_view text) {
  std::string out;
  text::Normalizer().normalize(text, out);
  return out;
}

Strings tokens_of(std::string_view text, const TokenizerOptions& options = {}) {
  Tokenizer tokenizer = *Tokenizer::create(options);
  const std::string clean = normalized(text);
  std::vector<Token> tokens;
  tokenizer.tokenize(clean, tokens);
  Strings strings;
  for (const Token& token : tokens) strings.push_back(clean.substr(token.begin, token.size_bytes));
  return strings;
}

Strings characters_of(std::string_view text) { return tokens_of(text, {.cjk = CjkMode::kCharacters}); }

std::vector<uint64_t> hashes_of(std::string_view text, const TokenizerOptions& options) {
  std::vector<uint64_t> hashes;
  Tokenizer::create(options)->hashes(normalized(text), hashes);
  return hashes;
}

TEST(Words, EuropeanScripts) {
  EXPECT_EQ(tokens_of(""), Strings{});
  EXPECT_EQ(tokens_of(" ,;_-- "), Strings{});
  EXPECT_EQ(tokens_of("Near-duplicates, snake_case; can't 3.14 é"),
            (Strings{"near", "duplicates", "snake", "case", "can", "t", "3", "14", "é"}));
  EXPECT_EQ(tokens_of("Привет, мир! ελληνικά"), (Strings{"привет", "мир", "ελληνικά"}));
}

TEST(Words, RightToLeftAndIndicScripts) {
  EXPECT_EQ(tokens_of("مرحبا بالعالم ١٢"), (Strings{"مرحبا", "بالعالم", "١٢"}));
  EXPECT_EQ(tokens_of("हिन्दी में, नमस्ते।"), (Strings{"हिन्दी", "में", "नमस्ते"}));
  EXPECT_EQ(tokens_of("\u0301 a\u0301\u0302b"), (Strings{"á\u0302b"}));  // a mark alone is no token
}

TEST(Words, ScriptsWithoutSpaces) {
  EXPECT_EQ(tokens_of("中"), Strings{"中"});
  EXPECT_EQ(tokens_of("中文文本，重"), (Strings{"中文", "文文", "文本", "重"}));
  EXPECT_EQ(tokens_of("用C++写ab"), (Strings{"用", "c", "写", "ab"}));
  EXPECT_EQ(tokens_of("東京タワーへ"), (Strings{"東京", "京タ", "タワ", "ワー", "ーへ"}));
  EXPECT_EQ(tokens_of("ไทยดี"), (Strings{"ไท", "ทย", "ยดี"}));  // the vowel belongs to its base
  EXPECT_EQ(tokens_of("\U00020000\U00020001"), (Strings{"\U00020000\U00020001"}));
  EXPECT_EQ(characters_of("中文 2026年ไดี"), (Strings{"中", "文", "2026", "年", "ไ", "ดี"}));
}

TEST(Words, HangulIsWrittenInWords) { EXPECT_EQ(tokens_of("한국어 문서 중복"), (Strings{"한국어", "문서", "중복"})); }

TEST(Words, EmojiAndMixed) {
  EXPECT_EQ(tokens_of("👩\u200D💻❤\uFE0F 🇩🇪"), Strings{});
  EXPECT_EQ(tokens_of("go😀gopher中"), (Strings{"go", "gopher", "中"}));
  EXPECT_EQ(tokens_of("\xED\xA0\x80x\xFFy"), (Strings{"x", "y"}));  // what was repaired separates
}

TEST(Chars, EachLetterAndDigit) {
  EXPECT_EQ(tokens_of("A-1 é中😀", {.tokenizer = "chars"}), (Strings{"a", "1", "é", "中"}));
}

TEST(Code, IdentifiersAndSigns) {
  const TokenizerOptions code{.tokenizer = "code"};
  EXPECT_EQ(tokens_of("if (my_var+=10) {\n\t_x[i2] -> f;\n}", code),
            (Strings{"if", "(", "my_var", "+", "=", "10", ")", "{", "_x", "[", "i2", "]", "-", ">", "f", ";", "}"}));
  EXPECT_EQ(tokens_of("+ 中文字é_— x", code), (Strings{"+", "中文", "文字", "é_", "x"}));
  EXPECT_EQ(tokens_of("f(\"中文 a\") // 中文", code), (Strings{"f", "(", "\"中文 a\"", ")"}));
  EXPECT_EQ(tokens_of("", code), Strings{});
  EXPECT_EQ(tokens_of("  \t\x01\x7f", code), Strings{});
}

TEST(Uax29, SegmentsWithALetterOrDigit) {
  const TokenizerOptions uax29{.tokenizer = "uax29"};
  EXPECT_EQ(tokens_of("Can't stop: 3.14, snake_case! __", uax29), (Strings{"can't", "stop", "3.14", "snake_case"}));
  EXPECT_EQ(tokens_of("中文 カタ_a ไทย", uax29), (Strings{"中文", "カタ", "_a", "ไท", "ทย"}));
  EXPECT_EQ(tokens_of("", uax29), Strings{});
}

TEST(Tokens, HaveOffsetsAndHashes) {
  Tokenizer tokenizer = *Tokenizer::create({.hash_seed = 9});
  std::vector<Token> tokens(3);
  tokenizer.tokenize("ab, 中文c", tokens);
  EXPECT_EQ(tokens, (std::vector<Token>{
                        {0, 2, token_hash("ab", 9)}, {4, 6, token_hash("中文", 9)}, {10, 1, token_hash("c", 9)}}));
  tokenizer.tokenize("", tokens);
  EXPECT_TRUE(tokens.empty());
}

TEST(Tokens, AMegabyteWithoutSpaces) {
  EXPECT_EQ(tokens_of(std::string(1 << 20, 'x')), Strings{std::string(1 << 20, 'x')});
  std::string chinese;
  for (int i = 0; i < 1 << 18; ++i) chinese += "中";
  EXPECT_EQ(tokens_of(chinese).size(), (size_t{1} << 18) - 1);
  EXPECT_EQ(characters_of(chinese).size(), size_t{1} << 18);
  for (const char* unit : {"a", "a.", "\u0301", "a\u0301.", "'", "\U0001F1E9"}) {
    std::string text;
    while (text.size() < 1 << 20) text += unit;
    Tokenizer tokenizer = *Tokenizer::create({.tokenizer = "uax29"});
    std::vector<Token> tokens;
    tokenizer.tokenize(text, tokens);  // in linear time
    EXPECT_LE(tokens.size(), 1u);
  }
}

TEST(StopWords, AreLeftOut) {
  EXPECT_EQ(tokens_of("The cat is on the mat, don't!", {.stop_words = "english"}), (Strings{"cat", "mat"}));
  EXPECT_EQ(tokens_of("我的书", {.cjk = CjkMode::kCharacters, .stop_words = "chinese"}), Strings{"书"});
  EXPECT_EQ(hashes_of("the cat", {.stop_words = "english"}), hashes_of("cat", {}));
  EXPECT_EQ(tokens_of("fur die katze", {.stop_words = "german", .folded_letters = true}), Strings{"katze"});
  EXPECT_EQ(tokens_of("für die katze", {.stop_words = "german"}), Strings{"katze"});
}

TEST(StopWords, ListsAreInNormalForm) {
  for (const StopWordList& list : stop_word_lists()) {
    const std::vector<std::string_view> words = stop_words(list.language);
    EXPECT_GT(words.size(), 50u) << list.language;
    for (const std::string_view word : words) {
      ASSERT_FALSE(word.empty()) << list.language;
      EXPECT_EQ(normalized(word), word) << list.language;
    }
  }
  EXPECT_TRUE(stop_words("klingon").empty());
}

TEST(Stemmer, TokenTakesTheHashOfItsStem) {
  const TokenizerOptions options{.stemmer = "english", .hash_seed = 4};
  EXPECT_EQ(hashes_of("running runs run", options), std::vector<uint64_t>(3, token_hash("run", 4)));
  EXPECT_EQ(tokens_of("Running", options), Strings{"running"});
  EXPECT_EQ(hashes_of("наступили", {.stemmer = "russian"}), hashes_of("наступил", {.stemmer = "russian"}));
  EXPECT_EQ(hashes_of("the running", {.stop_words = "english", .stemmer = "english"}).size(), 1u);
}

TEST(Stemmer, RemembersManyWords) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "word" + std::to_string(i) + "s ";
  const std::vector<uint64_t> hashes = hashes_of(text, {.stemmer = "english"});
  ASSERT_EQ(hashes.size(), 200000u);
  EXPECT_EQ(hashes[0], token_hash("word0", 0));
  EXPECT_EQ(hashes[199999], token_hash("word199999", 0));
}

TEST(Create, UnknownNamesAreErrorsThatListTheKnown) {
  for (const TokenizerOptions& options :
       {TokenizerOptions{.tokenizer = "regex"}, TokenizerOptions{.stop_words = "klingon"},
        TokenizerOptions{.stemmer = "klingon"}}) {
    const auto tokenizer = Tokenizer::create(options);
    ASSERT_FALSE(tokenizer.has_value());
    EXPECT_EQ(tokenizer.error().code, Code::kInvalidArgument);
  }
  EXPECT_NE(Tokenizer::create({.tokenizer = "regex"}).error().message.find("chars, code, jieba, uax29, words"),
            std::string::npos);
  EXPECT_NE(Tokenizer::create({.stemmer = "klingon"}).error().message.find("english"), std::string::npos);
}

/// Checks that each target gives the same tokens of `texts`, and returns those of the last one.
std::vector<Token> same_on_every_target(const TokenizerOptions& options, const std::vector<std::string>& texts) {
  Tokenizer tokenizer = *Tokenizer::create(options);
  std::vector<std::vector<Token>> expected;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    for (size_t i = 0; i < texts.size(); ++i) {
      std::vector<Token> tokens;
      tokenizer.tokenize(texts[i], tokens);
      if (expected.size() == i) expected.push_back(tokens);
      EXPECT_TRUE(tokens == expected[i]) << texts[i];
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return expected.back();
}

TEST(Kernels, EveryTargetGivesTheSameTokens) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "Word" + std::to_string(i * 7919) + (i % 3 == 0 ? "s of " : ", ");
  std::vector<std::string> texts;
  for (size_t size = 0; size < 300; ++size) texts.push_back(text.substr(0, size));
  EXPECT_GT(same_on_every_target({}, texts).size(), 20u);
}

TEST(Kernels, EveryTargetFindsTheSameHanCharacters) {
  std::vector<std::string> texts;
  for (size_t shift = 0; shift < 70; ++shift) {
    std::string text(shift, 'a');
    for (int i = 0; i < 5; ++i) texts.push_back(text += "一\u9FBF鿿。中\u0301文，a大");
  }
  EXPECT_EQ(same_on_every_target({.cjk = CjkMode::kCharacters}, texts).size(), 36u);
  EXPECT_EQ(same_on_every_target({.tokenizer = "chars"}, texts).size(), 104u);
}

TEST(Changes, ExplainedTokensAreThoseOfTokenizeAndTheOnesLeftOut) {
  const std::string english = "The ferries were leaving the harbour when the fog was lifting, and nobody was watching.";
  for (const std::string language : {"english", "auto", "none"}) {
    const TokenizerOptions options{.stop_words = language, .stemmer = language, .hash_seed = 3};
    Tokenizer tokenizer = *Tokenizer::create(options);
    const std::string clean = normalized(english);
    const ExplainedTokens explained = tokenizer.explain(clean);
    std::vector<uint64_t> kept;
    Strings dropped, stems;
    for (const ExplainedToken& token : explained.tokens) {
      if (!token.is_stop_word) kept.push_back(token.token.hash);
      if (token.is_stop_word) dropped.push_back(clean.substr(token.token.begin, token.token.size_bytes));
      if (!token.stem.empty()) stems.push_back(token.stem);
    }
    EXPECT_EQ(explained.tokens.size(), 15U);
    EXPECT_EQ(kept, hashes_of(english, options)) << language;
    EXPECT_EQ(explained.language, language == "auto" ? "english" : "");
    EXPECT_EQ(dropped.size(), language == "none" ? 0U : 8U) << testing::PrintToString(dropped);
    EXPECT_EQ(stems, language == "none" ? Strings{} : (Strings{"ferri", "leav", "lift", "nobodi", "watch"}));
  }
}

}  // namespace
}  // namespace neardup::token::tokenizer_test
