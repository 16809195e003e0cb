#include "neardup/text/html/html.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace neardup::text::html_test {
namespace {

const std::string kParagraphs[] = {
    "The harbour was closed on Monday after the ferry, which had left late, struck the northern pier in thick fog.",
    "Nobody was hurt, said the harbour master, although two of the crew were taken to hospital as a precaution.",
    "Engineers will look at the pier today, and the council expects it to open again before the end of the week."};

std::string article() {
  std::string html;
  for (const std::string& paragraph : kParagraphs) html += "<p>" + paragraph + "</p>\n";
  return html;
}

std::string article_text() {
  std::string text;
  for (const std::string& paragraph : kParagraphs) text += paragraph + "\n";
  return text;
}

/// A page of a newspaper with `inside` beside its paragraphs.
std::string page_with(const std::string& inside, const std::string& outside = "") {
  return "<!DOCTYPE html><html lang=\"en-GB\"><head><title> Ferry strikes\n pier </title>"
         "<script>var title = '<p>no</p>';</script><style>p { color: red }</style></head><body>" +
         outside + "<div class=\"story\"><h1>Ferry strikes pier</h1>" + article() + inside + "</div></body></html>";
}

HtmlPage read(const std::string& html, const HtmlOptions& options = {}) {
  HtmlReader reader;
  HtmlPage page;
  reader.read(html, options, page);
  return page;
}

TEST(Html, FindsTitleLanguageAndText) {
  const HtmlPage page = read(page_with(""));
  EXPECT_EQ(page.title, "Ferry strikes pier");
  EXPECT_EQ(page.language, "en-GB");
  EXPECT_EQ(page.encoding, "UTF-8");
  EXPECT_EQ(page.text, article_text());
}

TEST(Html, NumbersThatAreRaisedOrLoweredStaySo) {
  const auto text_of = [](const std::string& html) { return read(html, {.main_only = false}).text; };
  EXPECT_EQ(text_of("<p>10<sup>5</sup> or 10<sup>-12</sup>, 10<sup> &minus;1 </sup>, 2<sup>n</sup>"),
            "10⁵ or 10⁻¹², 10⁻¹, 2ⁿ\n");
  EXPECT_EQ(text_of("<p>H<sub>2</sub>O, a<sub>n</sub>, <pre>x<sup>3</sup></pre>"), "H₂O, aₙ,\nx³\n");
  EXPECT_EQ(text_of("<p>4<sup>th</sup> M<sup>me</sup> note<sup>[1]</sup> x<sup></sup>"), "4th Mme note[1] x\n");
}

TEST(Html, LeavesOutWhatIsNotTheArticle) {
  const std::string link = "<a href=\"/x\">Ten more stories that you will like</a>";
  for (const std::string& part : std::vector<std::string>{
           "<nav><ul><li>" + link + "</li></ul></nav>",
           "<footer><p>Copyright, all rights reserved, by the newspaper company of the town.</p></footer>",
           "<aside><p>Weather: fog in the morning, rain in the afternoon, a storm at night.</p></aside>",
           "<div class=\"article-comments\"><p>First! I knew that ferry would hit the pier, it always is "
           "late.</p></div>",
           "<div id=\"cookieConsent\"><p>We use cookies, and so do our partners, to show you what you want.</p></div>",
           "<div class=\"share-bar\">Share on this, that and the other network</div>",
           "<div class=\"related-stories\">" + link + "</div>",
           "<ul><li>" + link + "</li><li>" + link + "</li></ul>",
           "<div style=\"display: none\"><p>Hidden words, which a reader never sees, are no text.</p></div>",
           "<p hidden>Hidden words, which a reader never sees, are no text.</p>",
           "<div role=\"complementary\"><p>Something else entirely, on the side, of no interest here.</p></div>",
           "<div class=\"newsletter\">Get our letter every morning: <input type=\"text\"></div>",
           "<button>Read more</button><svg><text>drawn</text></svg><!-- a comment -->",
           "<noscript>Please switch scripts on to see this page.</noscript>",
       }) {
    EXPECT_EQ(read(page_with(part)).text, article_text()) << part;
    EXPECT_EQ(read(page_with("", part)).text, article_text()) << part;
  }
}

TEST(Html, AllTextLeavesOutOnlyWhatNobodySees) {
  const std::string html = page_with("<div hidden>never</div>", "<nav><a href=\"/\">Home</a></nav>");
  const HtmlPage page = read(html, {.main_only = false});
  EXPECT_EQ(page.text, "Home\nFerry strikes pier\n" + article_text());
}

TEST(Html, KeepsTheFormOfTheText) {
  const std::string inside =
      "<h2>The   ferry</h2><ul><li>built in 1970</li><li>rebuilt, twice, in <b>Oslo</b></li></ul>"
      "<table><tr><th>Year</th><th>Pass&shy;engers</th></tr><tr><td>2001</td><td>12,000</td></tr></table>"
      "<pre>one\n  two\n\nthree</pre><p>Line<br>break &amp; &#x6e2f;</p>";
  EXPECT_EQ(read(page_with(inside)).text, article_text() +
                                              "The ferry\nbuilt in 1970\nrebuilt, twice, in Oslo\nYear\tPass\xC2\xAD"
                                              "engers\n2001\t12,000\n"
                                              "one\n  two\nthree\nLine\nbreak & 港\n");
}

TEST(Html, ADeclaredBodyWins) {
  const std::string other = "<div class=\"content\">" + article() + article() + article() + "</div>";
  std::string body;
  for (int i = 0; i < 12; ++i)
    body += "<p>The declared text of the article, number " + std::to_string(i) + ", is short.</p>";
  const std::string text =
      read("<body>" + other + "<section itemprop=\"articleBody\">" + body + "</section>" + other).text;
  EXPECT_EQ(text.find("harbour"), std::string::npos);
  EXPECT_NE(text.find("number 7"), std::string::npos);
}

TEST(Html, FindsChineseText) {
  const std::string paragraph =
      "昨天上午，港口因大雾关闭，一艘渡轮撞上了北侧码头，没有人员受伤，工程师今天将检查码头。";
  const HtmlPage page =
      read("<html lang=zh><body><div class=nav><a href=/>首页</a><a href=/n>新闻</a></div><div id=x><p>" + paragraph +
           "</p><p>" + paragraph + "</p></div><div class=footer>版权所有，侵权必究，联系我们</div>");
  EXPECT_EQ(page.text, paragraph + "\n" + paragraph + "\n");
}

TEST(Html, LittleTextIsAllText) {
  EXPECT_EQ(read("<html><body>Hello</body></html>").text, "Hello\n");
  EXPECT_EQ(read("Hello").text, "Hello\n");
  EXPECT_EQ(read("").text, "");
  EXPECT_EQ(read("<p><script>x</script>").text, "");
}

TEST(Html, APageOfNothingButBoilerplateIsReadToo) {
  for (const std::string& part : {"<p>" + kParagraphs[0] + "</p>", kParagraphs[0] + "<p>x</p>"}) {
    EXPECT_EQ(read("<body><aside>" + part + "</aside>").text, "") << part;
    EXPECT_EQ(read("<body><aside>" + part + "</aside><div>Pier</div>").text, "Pier\n") << part;
  }
}

TEST(Html, OneReaderReadsManyPagesAlike) {
  HtmlReader reader;
  HtmlPage page;
  const std::string first = page_with("<p>Some more words, of this page alone, to tell it from others.</p>");
  reader.read(first, {}, page);
  const std::string text = page.text;
  for (int i = 0; i < 20; ++i) {
    reader.read(i % 2 == 0 ? "<p>another</p>" : "\xff\xfe<\0p\0>\0", {}, page);
    reader.read(first, {}, page);
    ASSERT_EQ(page.text, text);
  }
}

std::string repeated(const std::string& part, size_t size) {
  std::string text;
  while (text.size() < size) text += part;
  return text;
}

TEST(Html, SaysWhereAPageIsCut) {
  EXPECT_TRUE(read("<p>short").complete);
  EXPECT_FALSE(read("<p>" + repeated("long ", kMaxHtmlBytes)).complete);
}

TEST(Html, AHeadlineThatIsNotTheTitleIsText) {
  const auto page = [](const std::string& title) {
    return "<title>" + title + "</title><body><div><h1>Ferry strikes pier</h1>" + article() + "</div>";
  };
  EXPECT_EQ(read(page("Ferry strikes\n pier - The Harbour Post")).text, article_text());
  EXPECT_EQ(read(page("The Harbour Post")).text, "Ferry strikes pier\n" + article_text());
  EXPECT_EQ(read(page("")).text, "Ferry strikes pier\n" + article_text());
}

TEST(Html, DeepTextIsFound) {
  const std::string html = repeated("<div>", 50'000) + article() + repeated("</div>", 60'000);
  EXPECT_EQ(read("<body>" + html).text, article_text());
}

TEST(Html, KnowsAPageFromText) {
  for (const std::string_view html :
       {"<!DOCTYPE html><p>x",
        "  \n<html lang=en>",
        "<HEAD>",
        "<!-- note --><body>",
        "<?xml version=\"1.0\"?><html>",
        "<div class=a>x</div>",
        "<p>One</p>",
        "\xEF\xBB\xBF<title>x</title>",
        "<h1>Title</h1>",
        "<?xml version=\"1.0\"?>\n<!-- x -->\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0\">",
        "<meta charset=gbk>",
        "<div>\n\n<p>One</p>\n\n</div>",
        "<!-- a --> <!doctype\nhtml>",
        "<a name=top></a><h1>x</h1>",
        "<span>x</span><div>y</div>",
        "<script>var x;</script><body>y",
        "<br />\n<b>Warning</b>: x<p>One</p>",
        "<br><div>x</div>",
        "<br/>\n<!DOCTYPE html>\n<html>",
        "<img src=a.png><p>One</p>",
        "<!--[if IE]><![endif]--><p>One</p>",
        "<![endif]-->\n<div>x</div>",
        "<style type=\"text/css\">a{}</style><div>x</div>",
        "<style>a{}</style>\n<html><body>x",
        "<script src=a.js></script>\n<script>let a = '<p>';</script><p>One</p>",
        "<script type=\"application/ld+json\">{}</script><h1>x</h1>",
        "<SCRIPT async>x</SCRIPT>\n<TABLE><tr>",
        "<header>x</header>",
        "<ul><li>x</li></ul>",
        "<blockquote>x</blockquote>",
        "<noscript>x</noscript><div>y</div>"}) {
    EXPECT_TRUE(looks_like_html(html)) << html;
  }
  EXPECT_TRUE(looks_like_html("<script>" + repeated("let a = 1;\n", 30'000) + "</script><html><p>x"));
  EXPECT_TRUE(looks_like_html("<!--" + repeated("a ", 60'000) + "--><p>x"));
  EXPECT_FALSE(looks_like_html("<!--" + repeated("a ", 70'000) + "--><p>x")) << "behind 64 KiB";
  std::string badges;
  for (int i = 0; i < 30; ++i) badges += "<a href=https://example.org/badge><img src=https://example.org/a.svg></a>\n";
  const std::vector<std::string> texts = {"",
                                          "text",
                                          "a < b and c > d",
                                          "<3 you",
                                          "{\"a\": \"<html>\"}",
                                          "<note>xml</note>",
                                          "#include <html>",
                                          "<?xml version=\"1.0\"?><rss>",
                                          "<https://example.org>",
                                          "<person@example.org> wrote",
                                          "<p align=\"center\"><img src=a.png></p>\n\n# Title\n\nWords",
                                          "<h1 align=center>Name</h1>\n\nA tool that helps.",
                                          "<div align=center>\n\n```\nmake\n```\n</div>",
                                          "<a href=x>badge</a>\r\n\r\nWords of the first paragraph.",
                                          "<?xml version=\"1.0\"?><rss><channel><title>News</title><link>x</link>",
                                          "<rss><channel><title>News</title>",
                                          "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>News</title>",
                                          "<svg><title>x</title><style>y</style></svg>",
                                          "<!DOCTYPE svg><svg><title>x</title></svg>",
                                          "<script setup>\nlet a = 1\n</script>\n<template><div>x</div></template>",
                                          "<a>\nfoo = 1\nbar = 2",
                                          "<style>\nb { color: red }\n</style>",
                                          "<style>\nb { color: red }\n</style>\n<div>{text}</div>",
                                          "<script lang=\"ts\">\nexport let a = '<html>'\n</script>\n<h1>{a}</h1>",
                                          "<script>\nimport A from './a'\n</script>\n\n<A/>\n<div>x</div>",
                                          "<script>never closed, <html> and <body>",
                                          "<script src=a.js></script>\n\n# Title\n\nWords",
                                          "<br>\n\n# Title\n\n<p>Words</p>",
                                          "<img src=a.png>\n\nA tool, with <div> in its text.",
                                          "<b>bold</b> words without a block",
                                          "Pages begin with <!DOCTYPE html> and <html>.",
                                          "From: a@b.org\nSubject: tags\n\n<html><body>x</body></html>",
                                          "// <div>\nint main() { puts(\"<html>\"); }",
                                          "> <p>quoted</p>\n\nno",
                                          "<?php if ($a->b()) { ?>\n<html><body>x",
                                          "<!ENTITY a \"<html>\">",
                                          "<p align=center>" + badges + "</p>\n\n# Title\n\nWords",
                                          "<template>\n  <div>{{ text }}</div>\n</template>",
                                          "<nitf><head><title>x</title></head><body>y</body></nitf>"};
  for (const std::string& text : texts) {
    EXPECT_FALSE(looks_like_html(text)) << text;
  }
}

}  // namespace
}  // namespace neardup::text::html_test
