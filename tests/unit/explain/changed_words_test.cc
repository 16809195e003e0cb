#include "neardup/explain/changed_words.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace neardup::explain {
namespace {

constexpr std::string_view kText = "the runs of the running run";

token::ExplainedToken token_at(uint32_t begin, uint32_t size_bytes, bool is_stop_word, std::string stem) {
  token::ExplainedToken explained{};
  explained.token.begin = begin;
  explained.token.size_bytes = size_bytes;
  explained.is_stop_word = is_stop_word;
  explained.stem = std::move(stem);
  return explained;
}

token::ExplainedTokens tokens_of_text() {
  token::ExplainedTokens tokens;
  tokens.language = "english";
  tokens.tokens = {token_at(0, 3, true, ""),  token_at(4, 4, false, "run"),  token_at(9, 2, true, ""),
                   token_at(12, 3, true, ""), token_at(16, 7, false, "run"), token_at(24, 3, false, "")};
  return tokens;
}

TEST(ChangedWords, CountsTheMostFrequentFirst) {
  const ChangedWords changed = changed_words(kText, tokens_of_text());
  EXPECT_EQ(changed.num_dropped, 3U);
  ASSERT_EQ(changed.dropped.size(), 2U);
  EXPECT_EQ(changed.dropped[0].word, "the");
  EXPECT_EQ(changed.dropped[0].count, 2U);
  EXPECT_EQ(changed.dropped[1].word, "of");
  EXPECT_EQ(changed.num_stemmed, 2U);
  ASSERT_EQ(changed.stemmed.size(), 2U);
  EXPECT_EQ(changed.stemmed[1].stem, "run");
}

TEST(ChangedWords, AreSaidInOneLineOfEachKind) {
  const std::vector<std::string> lines = changed_words_lines(kText, tokens_of_text());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "dropped stop words: 3, as english (the x2, of)");
  EXPECT_EQ(lines[1], "stemmed words: 2, as english (runs -> run, running -> run)");
}

TEST(ChangedWords, NothingIsSaidWhereNothingChanged) {
  token::ExplainedTokens tokens;
  tokens.tokens = {token_at(0, 3, false, "")};
  EXPECT_TRUE(changed_words_lines(kText, tokens).empty());
  std::string json;
  append_changed_words(json, kText, tokens);
  EXPECT_EQ(json, ",\"language\":\"\",\"dropped\":[],\"stemmed\":[]");
}

}  // namespace
}  // namespace neardup::explain
