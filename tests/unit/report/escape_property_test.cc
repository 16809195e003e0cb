// Any bytes made safe: what a page, an attribute or a terminal must never see.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "neardup/diff/characters.h"
#include "neardup/report/escape.h"
#include "neardup/report/sections.h"
#include "tests/unit/report/page_check.h"

namespace neardup::report {
namespace {

// Any bytes, more often those that mean something somewhere.
rc::Gen<std::string> hostile_text() {
  return rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::arbitrary<char>(), rc::gen::element('<', '>', '&', '"', '\'', '\x1b', '\n', '\r', '\t', '\0', ';', '#'),
      rc::gen::element('\xe2', '\x80', '\xae', '\xed', '\xa0', '\xf0', '\x9f', '\x98')));
}

bool is_whole_utf8(const std::string& text) {
  for (size_t i = 0; i < text.size();) {
    const diff::DecodedCharacter character = diff::character_at(text, i);
    if (!character.valid) return false;
    i += character.length;
  }
  return true;
}

size_t count_hidden(const std::string& text) {
  size_t count = 0;
  for (size_t i = 0; i < text.size();) {
    const diff::DecodedCharacter character = diff::character_at(text, i);
    count += character.valid && diff::is_hidden(character.code_point);
    i += character.length;
  }
  return count;
}

RC_GTEST_PROP(EscapeAny, HtmlHasNoMarkupOfTheText, ()) {
  const std::string html = escape_html(*hostile_text());
  RC_ASSERT(is_whole_utf8(html));
  RC_ASSERT(count_hidden(html) == 0U);
  RC_ASSERT(check_page("<!DOCTYPE html>\n<p>" + html + "</p>").error == "");
}

RC_GTEST_PROP(EscapeAny, AnAttributeHasNoMarkupAtAll, ()) {
  const std::string attribute = escape_attribute(*hostile_text());
  RC_ASSERT(attribute.find_first_of("<>\"'") == std::string::npos);
  RC_ASSERT(count_hidden(attribute) == 0U);
}

RC_GTEST_PROP(EscapeAny, ATerminalLineIsOneLineOfItsWidth, ()) {
  const std::string text = *hostile_text();
  const size_t columns = *rc::gen::inRange<size_t>(3, 90);
  const std::string line = terminal_line(text, columns);
  RC_ASSERT(terminal_columns(line) <= columns);
  RC_ASSERT(line.find_first_of("\n\r\t\x1b") == std::string::npos);
  RC_ASSERT(is_whole_utf8(line));
  RC_ASSERT(count_hidden(line) == 0U);
  RC_ASSERT(terminal_line(line, columns) == line);
}

RC_GTEST_PROP(EscapeAny, TerminalTextKeepsItsLines, ()) {
  const std::string text = *hostile_text();
  const std::string shown = terminal_text(text);
  RC_ASSERT(std::ranges::count(shown, '\n') == std::ranges::count(text, '\n'));
  RC_ASSERT(count_hidden(shown) == 0U);
  RC_ASSERT(shown.find('\x1b') == std::string::npos);
}

RC_GTEST_PROP(EscapeAny, ANameIsOneElementAndNotLong, ()) {
  const std::string name = name_html(*hostile_text());
  RC_ASSERT(name.starts_with("<code "));
  RC_ASSERT(name.ends_with("</code>"));
  RC_ASSERT(check_page("<!DOCTYPE html>\n<p>" + name + "</p>").error == "");
}

TEST(EscapePlain, TextWithoutSignsStaysAsItIs) {
  for (const std::string text : {"", "plain text", "two\nlines\tand a tab", "图书馆 и ещё", "e\u0301 \U0001F600"}) {
    EXPECT_EQ(escape_html(text), text);
    EXPECT_EQ(escape_attribute(text), text);
    EXPECT_EQ(terminal_text(text), text);
  }
}

TEST(NameHtml, ALongNameIsCutAtACharacterAndSaysSo) {
  std::string name;
  for (int i = 0; i < 200; ++i) name += "图";
  const std::string html = name_html(name);
  EXPECT_TRUE(html.ends_with("图\u2026</code>")) << html;
  EXPECT_LT(html.size(), 340U);
  EXPECT_EQ(name_html(""), "<code class=\"none\">(empty)</code>");
  EXPECT_EQ(name_html("a<b"), "<code dir=\"auto\">a&lt;b</code>");
}

}  // namespace
}  // namespace neardup::report
