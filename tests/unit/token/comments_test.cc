// Comments and literals are found in the languages that they are written in, with nobody saying which.
#include "neardup/token/comments.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "neardup/token/one_token.h"
#include "neardup/token/tokenizer.h"
#include "tests/cpu_seconds.h"

namespace neardup::token::comments_test {
namespace {

std::string tokens_of(const std::string& text) {
  Tokenizer tokenizer = *Tokenizer::create({.tokenizer = "code"});
  std::vector<Token> tokens;
  tokenizer.tokenize(text, tokens);
  std::string joined;
  for (const Token& token : tokens) joined += (joined.empty() ? "" : " ") + text.substr(token.begin, token.size_bytes);
  return joined;
}

TEST(Comments, OfTheFamilyOfC) {
  EXPECT_EQ(tokens_of("int a; // one\n/* two\n three */ int b; /**/\n"), "int a ; int b ;");
  EXPECT_EQ(tokens_of("#include <x.h>\n#define N 3 // it\nint a[N];\n"),
            "# include < x . h > # define N 3 int a [ N ] ;");
  EXPECT_EQ(tokens_of("s = \"// no /* comment */\"; t = '\"'; // \"\n"), "s = \"// no /* comment */\" ; t = '\"' ;");
  EXPECT_EQ(tokens_of("a; // one\r\nb; // two\rc;"), "a ; b ; c ;");
  EXPECT_EQ(tokens_of("i--; x = y --z;\n"), "i - - ; x = y - - z ;");
  EXPECT_EQ(tokens_of("/* never closed; int a;\n"), "/ * never closed ; int a ;");
}

TEST(Comments, OfPythonAndShells) {
  EXPECT_EQ(tokens_of("# head\ndef f(a):  # it\n  return a // 2\n"), "def f ( a ) : return a / / 2");
  EXPECT_EQ(tokens_of("def f(a):\n  '''Says\n  what.'''\n  return r'\\d' # x\n# end\n"),
            "def f ( a ) : '''Says\n  what.''' return r '\\d'");
  EXPECT_EQ(tokens_of("#!/bin/sh\n# copy\ncp /tmp/* $1 # all\necho $#\nls /a/*/b\n"),
            "cp / tmp / * $ 1 echo $ # ls / a / * / b");
  EXPECT_EQ(tokens_of("# a\nurl = http://x.org/y\n"), "url = http : / / x . org / y");
}

TEST(Comments, OfSqlLispTexAndMarkup) {
  EXPECT_EQ(tokens_of("-- all\nSELECT a FROM b; -- few\n/* x */ SELECT 1;\n"), "SELECT a FROM b ; SELECT 1 ;");
  EXPECT_EQ(tokens_of(";; square\n; it\n(define (f x) (* x x)) ; ok\n"), "( define ( f x ) ( * x x ) )");
  EXPECT_EQ(tokens_of("% title\n\\section{A}\n%% more\n"), "\\ section { A }");
  EXPECT_EQ(tokens_of("<!-- note\n two --><p>a</p>\n"), "< p > a < / p >");
  EXPECT_EQ(tokens_of("#top {\n  color: #fff; /* x */\n}\n"), "# top { color : # fff ; }");
}

TEST(Comments, ApostrophesOfWordsBeginNoLiteral) {
  EXPECT_EQ(tokens_of("don't say it's"), "don ' t say it ' s");
  EXPECT_EQ(tokens_of("u8'x' L'y' f'a b'"), "u8 'x' L 'y' f 'a b'");
  EXPECT_EQ(tokens_of("a = \"open\nb = \"x\\\"y\""), "a = \" open b = \"x\\\"y\"");
}

TEST(Comments, NumbersAreWhole) {
  EXPECT_EQ(tokens_of("1.5e3 0x1F 10L 1..2 a.1 3."), "1.5e3 0x1F 10L 1 . . 2 a . 1 3 .");
}

TEST(Comments, TheStyleIsToldByLines) {
  EXPECT_EQ(comment_style_of(""), CommentStyle{});
  EXPECT_EQ(comment_style_of("int a;\n"), CommentStyle{});
  EXPECT_TRUE(comment_style_of("# one\nx = 1\n").hash);
  EXPECT_FALSE(comment_style_of("#ifdef A\n#endif\n").hash);
  EXPECT_FALSE(comment_style_of("def f(x):\n  return x // 2\n").slashes);
  EXPECT_TRUE(comment_style_of("<?php\n// one\n# two\n").slashes);
}

// Marks that are never closed, or each of which could be the start of something long.
TEST(Comments, HostileTextsTakeLinearTime) {
  const std::vector<std::string> pieces = {"/*", "<!--", "\"\\", "'\\", "\"\"\"", "'''",
                                           " #", "\t ",  "//",   "\" ", "--",     "\\\"\r"};
  for (const std::string& piece : pieces) {
    std::string text = "# a\n";
    while (text.size() < 1'000'000) text += piece;
    const double start = cpu_seconds();
    (void)tokens_of(text);
    EXPECT_LT(cpu_seconds() - start, 5) << piece;
  }
}

}  // namespace
}  // namespace neardup::token::comments_test
