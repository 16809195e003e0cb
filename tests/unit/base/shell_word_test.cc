#include "neardup/base/shell_word.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

TEST(ShellWord, IsQuotedWhereAShellWouldReadItOtherwise) {
  EXPECT_EQ(shell_word("a/B-c_0.jsonl"), "a/B-c_0.jsonl");
  EXPECT_EQ(shell_word("--verify=jaccard:0.8,@%+"), "--verify=jaccard:0.8,@%+");
  EXPECT_EQ(shell_word("größe"), "größe");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("=ls"), "'=ls'");
  for (const char* word :
       {"$x", "`x`", "a;b", "a&b", "a|b", "*", "?", "[a]", "{a}", "~", "#", "!", "a\nb", "\\", "\"", "(", "<", "^"})
    EXPECT_EQ(shell_word(word), "'" + std::string(word) + "'");
}

}  // namespace
}  // namespace neardup
