// What parts of a page say of themselves: headings of other pages, bylines, calls to follow, ids made of headings.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "neardup/text/html/html.h"
#include "neardup/text/html/phrases.h"

namespace neardup::text::html_labels_test {
namespace {

const std::string kParagraph =
    "The harbour was closed on Monday after the ferry, which had left late, struck the northern pier in thick fog.";

std::string paragraphs(int count) {
  std::string html;
  for (int i = 0; i < count; ++i) html += "<p>" + kParagraph + "</p>";
  return html;
}

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += kParagraph + "\n";
  return text;
}

std::string text_of(const std::string& body) {
  HtmlReader reader;
  HtmlPage page;
  reader.read("<!doctype html><body><div>" + body + "</div></body>", {}, page);
  return page.text;
}

TEST(HtmlLabels, PhrasesOfManyLanguages) {
  for (const std::string_view text :
       {"You may also like...", "RELATED ARTICLES", "More great Harbour stories", "Das könnte Sie auch interessieren",
        "Sur le même sujet :", "Você pode gostar", "ПОХОЖИЕ СТАТЬИ", "相关阅读：", "【関連記事】", "관련 기사",
        "أخبار ذات صلة", "संबंधित खबरें"}) {
    EXPECT_NE(phrases_of(text) & kOthers, 0u) << text;
  }
  for (const std::string_view text : {"Read more: ships", "[Related: ships]", "À lire aussi", "Читайте также:"}) {
    EXPECT_NE(phrases_of(text) & kPointer, 0u) << text;
  }
  EXPECT_NE(phrases_of("By Ann Other") & kPublished, 0u);
  for (const std::string_view text : {"", "...", "Bygone days", "Relatedness", "The most read book", "Moreover"}) {
    EXPECT_EQ(phrases_of(text), 0u) << text;
  }
  EXPECT_EQ(phrases_of(std::string(kMaxPhraseBytes + 1, 'x')), 0u);
}

TEST(HtmlLabels, ThePartThatAHeadingOfOthersBeginsGoes) {
  const std::string blurb =
      "<p>Another story altogether, of which this page shows the first lines, and then no more.</p>";
  for (const std::string heading : {"You may also like", "Você pode gostar...", "Самые популярные", "相关文章"}) {
    const std::string html =
        "<div>" + paragraphs(5) + "</div><div><h3>" + heading + "</h3>" + blurb + blurb + blurb + blurb + "</div>";
    EXPECT_EQ(text_of(html), lines(5)) << heading;
  }
}

TEST(HtmlLabels, TheLinksBehindAHeadingOfOthersGoAndTheTextBehindThemStays) {
  const std::string links = "<p><a href=/1>One ferry sinks</a> [News]</p><p><a href=/2>Two ferries sink</a> [News]</p>";
  const std::string after =
      "<p>And this is the text, going on after the box, with a comma, or two, and a full stop.</p>";
  EXPECT_EQ(text_of(paragraphs(4) + "<p><b>Don't miss</b></p>" + links + after),
            lines(4) + "And this is the text, going on after the box, with a comma, or two, and a full stop.\n");
}

TEST(HtmlLabels, AHeadingOfTheTextItselfStays) {
  const std::string html = paragraphs(4) + "<h2>Related work</h2>" + paragraphs(2);
  EXPECT_EQ(text_of(html), lines(4) + "Related work\n" + lines(2));
}

TEST(HtmlLabels, WhatPointsElsewhereGoes) {
  const std::string html = paragraphs(2) + "<p>Read more: <a href=/x>The ferries of the north</a></p>" + paragraphs(2) +
                           "<p>See also the <a href=/x>harbour</a>, which has been closed since.</p>";
  EXPECT_EQ(text_of(html), lines(4) + "See also the harbour, which has been closed since.\n");
}

TEST(HtmlLabels, WhoAndWhenBeforeTheTextGo) {
  for (const std::string line : {"By Ann Other", "Published: 3 May 2021, 10:30", "2021年5月3日 10:30",
                                 "Von Anna Andere", "3 мая 2021, 10:30", "Ann Other, Harbour Post, May 3, 2021"}) {
    EXPECT_EQ(text_of("<p>" + line + "</p>" + paragraphs(3)), lines(3)) << line;
  }
  EXPECT_EQ(text_of("<p>It was on 3 May 2021.</p>" + paragraphs(3)), "It was on 3 May 2021.\n" + lines(3));
  EXPECT_EQ(text_of(paragraphs(2) + "<p>3 May 2021</p>" + paragraphs(2)), lines(2) + "3 May 2021\n" + lines(2));
}

TEST(HtmlLabels, CallsAndHeadingsOfNothingBehindTheTextGo) {
  const std::string call = "<p>Sign up for our <a href=/n>newsletter</a>, every morning.</p>";
  EXPECT_EQ(text_of(paragraphs(3) + call + "<h2>Comments</h2>"), lines(3));
  EXPECT_EQ(text_of(paragraphs(3) + "<p>Reporting by A. Other; editing by B. Other</p>"), lines(3));
  EXPECT_EQ(text_of(paragraphs(2) + call + paragraphs(2)),
            lines(2) + "Sign up for our newsletter, every morning.\n" + lines(2));
}

TEST(HtmlLabels, TextBesideBlocksEndsTheSearchForHeadingsOfNothing) {
  const std::string text = text_of(kParagraph + "<h4>One</h4>" + kParagraph + "<h4>Two</h4>" + kParagraph);
  EXPECT_EQ(text, kParagraph + "\nOne\n" + kParagraph + "\nTwo\n" + kParagraph + "\n");
}

TEST(HtmlLabels, ASectionNamedByItsHeadingIsText) {
  const std::string section = "<div class=section id=sharing-with-others><h2>Sharing with others<a href=#>¶</a></h2>" +
                              paragraphs(4) + "</div>";
  EXPECT_EQ(text_of(paragraphs(4) + section), lines(4) + "Sharing with others¶\n" + lines(4));
  const std::string box = "<div id=sharing-with-others><h2>Share this</h2>" + paragraphs(4) + "</div>";
  EXPECT_EQ(text_of(paragraphs(5) + box), lines(5));
}

TEST(HtmlLabels, ShortPostsAreNotTheirComments) {
  std::string comments;
  for (int i = 0; i < 10; ++i) comments += "<li class=comment>" + paragraphs(1) + "</li>";
  const std::string post = "<div class=post>" + paragraphs(2) + "</div>";
  EXPECT_EQ(text_of(post + "<div id=comments><ul class=comment-list>" + comments + "</ul></div>"), lines(2));
}

TEST(HtmlLabels, AColumnOfLinksBesideTheTextGoesAndCellsOfDataStay) {
  const std::string links = "<a href=/1>Part one</a><br><a href=/2>Part two</a><br><a href=/3>Part three</a>";
  const std::string text = kParagraph + "<br><br>" + kParagraph + "<br><br>" + kParagraph;
  EXPECT_EQ(text_of("<table><tr><td>" + links + "</td><td>" + text + "</td></tr></table>"), lines(3));
  const std::string data = "<table><tr><th>Ships</th><td>" + links + "</td></tr><tr><th>Pier</th><td>" + kParagraph +
                           kParagraph + kParagraph + kParagraph + kParagraph + "</td></tr></table>";
  EXPECT_NE(text_of(paragraphs(3) + data).find("Part two"), std::string::npos);
}

TEST(HtmlLabels, QuotedPostsAndListsWithinItemsStay) {
  const std::string quote =
      "<div class=social-media-embed><blockquote><p>Fog. <a href=/s>t.co/x</a></p> A. Other <a href=/d>3 May</a>"
      "</blockquote></div>";
  EXPECT_NE(text_of(paragraphs(2) + quote + paragraphs(2)).find("Fog."), std::string::npos);
  const std::string list =
      "<ul><li>Ferries, of which some, but not all, are late: <ul><li><a href=/1>The first ferry</a></li><li><a "
      "href=/2>The second ferry</a></li></ul></li><li>Piers, which are all closed today.</li></ul>";
  EXPECT_NE(text_of(paragraphs(2) + list + paragraphs(2)).find("The second ferry"), std::string::npos);
}

}  // namespace
}  // namespace neardup::text::html_labels_test
