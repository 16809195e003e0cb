#include "neardup/report/escape.h"

#include <gtest/gtest.h>

#include <string>

#include "neardup/diff/characters.h"
#include "neardup/diff/reflow.h"

namespace neardup::report {
namespace {

TEST(TerminalText, KeepsLinesAndNothingThatMoves) {
  EXPECT_EQ(terminal_text("a\r\nb\tc\n"), "a\nb\tc\n");
  EXPECT_EQ(terminal_text("\x1b[31m\x07\xc2\x9b\x9b"), "[U+001B][31m[U+0007][U+009B]\uFFFD");
}

TEST(EscapeHtml, MarkupBecomesReferences) {
  EXPECT_EQ(escape_html("<a href=\"x\" b='y'>&</a>"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&lt;/a&gt;");
}

TEST(EscapeHtml, HiddenCharactersAreNamed) {
  EXPECT_EQ(escape_html(std::string_view("a\0b", 3)), "a<b class=\"hidden\">U+0000</b>b");
  EXPECT_EQ(escape_html("\u202E"), "<b class=\"hidden\">U+202E</b>");
  EXPECT_EQ(escape_attribute("\x1b[2J"), "[U+001B][2J");
  EXPECT_EQ(escape_html("\u0085"), "<b class=\"hidden\">U+0085</b>");
}

TEST(EscapeHtml, LayoutAndScriptsStay) {
  EXPECT_EQ(escape_html("a\r\nb\tc"), "a\nb\tc");
  EXPECT_EQ(escape_html("می\u200Cخواهم \u200F"), "می\u200Cخواهم \u200F");
}

TEST(EscapeHtml, BadBytesBecomeReplacements) {
  for (std::string_view bad : {"\xff", "\xc0", "\x80", "\xed", "\xf5", "\xe2"}) EXPECT_EQ(escape_html(bad), "\uFFFD");
  EXPECT_EQ(escape_html("\xc0\x80"), "\uFFFD\uFFFD");
  EXPECT_EQ(escape_html("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(escape_html("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(escape_html("\xe2\x82<"), "\uFFFD\uFFFD&lt;");
}

TEST(CharacterAt, RoundTripsEveryCodePoint) {
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point >= 0xD800 && code_point <= 0xDFFF) continue;
    std::string bytes;
    diff::append_utf8(bytes, code_point);
    diff::Character character = diff::character_at(bytes, 0);
    ASSERT_TRUE(character.valid && character.code_point == code_point && character.length == bytes.size());
  }
}

TEST(TerminalLine, NothingReachesTheTerminalRaw) {
  EXPECT_EQ(terminal_line("a\nb\tc", 80), "a b c");
  EXPECT_EQ(terminal_line("\x1b[31m\x07", 80), "[U+001B][31m[U+0007]");
  EXPECT_EQ(terminal_line("\x9b", 80), "\uFFFD");
}

TEST(TerminalLine, LongLinesLoseTheirMiddle) {
  EXPECT_EQ(terminal_line("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(terminal_line("abcdefghijk", 10), "abcd\u2026ghijk");
  for (size_t columns = 3; columns < 30; ++columns) {
    EXPECT_LE(terminal_columns(terminal_line("图书馆的名字很长很长 and more of it", columns)), columns);
  }
}

TEST(TerminalColumns, WideAndCombining) {
  EXPECT_EQ(terminal_columns("图a"), 3u);
  EXPECT_EQ(terminal_columns("e\u0301"), 1u);
}

TEST(Reflow, JoinsWrappedProse) {
  std::string line = "a line of prose with many words that goes on and on for long";
  EXPECT_EQ(diff::reflow(line + "\n  and its end.\n\n\n\nNext."), line + " and its end.\n\nNext.");
}

TEST(Reflow, KeepsListsCodeAndShortLines) {
  for (std::string text :
       {"PEP: 8\nTitle: Style\nStatus: Active", "a short line\nanother short line",
        "an item of a list with many words that is long enough to be one\n- another item",
        "an item of a list with many words that is long enough to be one\n2. another item",
        "if (a == b && c == d && e == f || a longer condition here) {\n  call(a);",
        "a line of prose with many words that goes on and on for long\n          deep indentation"}) {
    EXPECT_EQ(diff::reflow(text), text);
  }
}

TEST(OneLine, CutsAfterAWord) {
  EXPECT_EQ(diff::one_line("  a \n b\t", 80), "a b");
  EXPECT_EQ(diff::one_line("alpha beta gamma", 12), "alpha beta \u2026");
  EXPECT_EQ(diff::one_line("alpha beta gam", 80, true), "alpha beta \u2026");
  EXPECT_EQ(diff::one_line("图书馆图书馆", 10), "图书馆 \u2026");
  EXPECT_EQ(diff::one_line("", 10), "");
}

}  // namespace
}  // namespace neardup::report
