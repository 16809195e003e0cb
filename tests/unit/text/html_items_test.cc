// Lists whose items are texts: what is compared of them is all of their items, not the longest or the site's side bar.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "neardup/text/html/html.h"
#include "tests/unit/text/html_pages.h"

namespace neardup::text::html_items_test {
namespace {

std::string page(const std::string& body) {
  return "<!doctype html><html><head><title>Quay</title></head><body><header><nav><a href=/>Home</a></nav></header>" +
         body + "<div class=footer><p>" + paragraph(99) + "</p></div></body></html>";
}

std::string item(const std::string& title, const std::string& text, const std::string& attributes = "class=post") {
  return "<article " + attributes + "><header><h2><a href=\"/x\">" + title + "</a></h2></header>" + text + "</article>";
}

void expect_all(const std::string& html, const std::vector<std::string>& parts) {
  const std::string text = read_text(html);
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(HtmlItems, TwoAreAList) {
  const std::string first = item("The old crane", paragraphs(1, 1)), second = item("A new pilot", paragraphs(2, 1));
  expect_all(page("<main>" + first + second + "</main>"), {"The old crane", paragraph(1), "A new pilot", paragraph(2)});
}

TEST(HtmlItems, ALongOneDoesNotStandForTheOthers) {
  const std::string html = page("<div id=content>" + item("The old crane", paragraphs(1, 12)) +
                                item("A new pilot", paragraphs(20, 2)) + "</div>");
  expect_all(html, {"The old crane", paragraph(3), "A new pilot", paragraph(21)});
}

TEST(HtmlItems, ClassesMayNumberArticles) {
  const std::string html = page("<div id=content>" + item("The old crane", paragraphs(1, 12), "class=\"post-1 post\"") +
                                item("A new pilot", paragraphs(20, 2), "class=\"post-2 post\"") + "</div>");
  expect_all(html, {"The old crane", "A new pilot", paragraph(21)});
}

TEST(HtmlItems, ALinkMayLieOverTheWholeCard) {
  std::string cards;
  for (const char* title : {"The old crane", "A new pilot"}) {
    cards += "<article class=card><header><h2>" + std::string(title) + "</h2></header><p>" + paragraph(1) +
             "</p><a href=/x aria-label=card></a></article>";
  }
  expect_all(page("<main>" + cards + "</main>"), {"The old crane", "A new pilot"});
}

TEST(HtmlItems, ALoneOneKeepsItsTitle) {
  expect_all(
      page("<main><p>Tag: cranes</p><div class=posts>" + item("The old crane", paragraphs(1, 1)) + "</div></main>"),
      {"Tag: cranes", "The old crane", paragraph(1)});
  // White space around the link is no text beside it.
  expect_all(page("<main><div class=posts><article class=post><div><h2>\n   <a href=/x>Crane\n</a>\n   </h2></div><p>" +
                  paragraph(1) + "</p></article></div></main>"),
             {"Crane", paragraph(1)});
}

TEST(HtmlItems, TheirPartsStayWhateverTheyAreCalled) {
  std::string items;
  for (int i = 1; i < 4; ++i) {
    items += "<li class=item><div><h3><a href=/x>Title " + std::to_string(i) +
             "</a></h3></div><div class=excerpt_footer><p>" + paragraph(i) + "</p></div></li>";
  }
  expect_all(page("<main><ul>" + items + "</ul></main>"), {"Title 1", "Title 3", paragraph(2)});
  EXPECT_EQ(read_text(page("<main><ul>" + items + "</ul></main>")).find(paragraph(99)), std::string::npos);
}

TEST(HtmlItems, TopicsMayStandBeforeTheirTitles) {
  std::string topics, items;
  for (int i = 0; i < 6; ++i) topics += "<span>, <a href=/t>Office " + std::to_string(i) + "</a></span>";
  for (int i = 1; i < 4; ++i) {
    items += "<article class=post><header class=entry-header>" + topics + "<a href=/x><h2>Title " + std::to_string(i) +
             "</h2></a></header><p>" + paragraph(i) + "</p></article>";
  }
  expect_all(page("<main>" + items + "</main>"), {"Title 1", "Title 2", "Title 3"});
}

const std::string kBar =
    "<div class=aside-content id=aside-content><p>The quay tells what happens in the harbour, day by day, and what the "
    "crews say of it.</p><p>Followers 1204, posts 822, tags 81, topics 34, words 1464k</p><p>Newest: the lighthouse is "
    "painted, a crane for the north pier, ropes and how to splice them, storm of the century.</p></div>";

TEST(HtmlItems, AShortListIsNotItsSideBar) {
  for (const char* article : {"", "<meta property=article:published_time content=2024-01-01>"}) {
    std::string body = "<main><div id=archive><div>Tag - EE364A</div><a href=/x>Lectures 3 and 4</a></div>";
    body += kBar + "</main>";
    const std::string html = article + page(body);
    const std::string text = read_text(html);
    EXPECT_NE(text.find("Lectures 3 and 4"), std::string::npos) << text;
    EXPECT_EQ(text.find("Followers"), std::string::npos) << text;
  }
}

TEST(HtmlItems, ADeclaredMainPartComesBeforeANoticeBelow) {
  const std::string html = page(
      "<div class=title><h3>Products</h3></div><main><div><h3>Crane for small boats</h3><img src=a.jpg></div>"
      "<div><h3>Crane for large boats</h3><img src=b.jpg></div></main><div class=bottom><p>" +
      paragraph(7) + "</p>" + paragraphs(8, 4) + "</div>");
  expect_all(html, {"Products", "Crane for small boats", "Crane for large boats"});
}

// What is no list stays a text alone.
TEST(HtmlItems, AnArticleBesideOthersIsNone) {
  std::string lines;
  for (int i = 1; i < 8; ++i) lines += paragraph(i) + "\n";
  const std::string others = "<section>" + item("The old crane", "") + item("A new pilot", "") + "</section>";
  EXPECT_EQ(read_text(page("<main><article><h1>Quay</h1>" + paragraphs(1, 7) + "</article>" + others + "</main>")),
            lines);
}

TEST(HtmlItems, SignsForTheirPlaceMakeNoItemsOfSections) {
  std::string sections, lines;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "Part " + std::to_string(i);
    sections += "<section><h2>" + name + "<a href=#p>#</a></h2><ul class=share><li><a href=x>Share</a></ul>" +
                paragraphs(3 * i, 3) + "</section>";
    lines += name + "#\n" + paragraph(3 * i) + "\n" + paragraph(3 * i + 1) + "\n" + paragraph(3 * i + 2) + "\n";
  }
  EXPECT_EQ(read_text(page("<main>" + sections + "</main>")), lines);
}

// Deep, and many of them: the look at neighbours is bounded.
TEST(HtmlItems, HostilePagesAreReadInTime) {
  std::string html = "<main>";
  for (int i = 0; i < 400; ++i) html += "<div><h2><a href=x>y</a></h2>";
  for (int i = 0; i < 20000; ++i) html += "<div class=footer>" + std::string(40, 'a') + "</div>";
  EXPECT_FALSE(read_text(html + "<p>" + paragraph(1) + "</p>").empty());
  html = "<main>";
  for (int i = 0; i < 20000; ++i) html += "<article><h2><a href=x>y</a></h2></article>";
  for (int i = 0; i < 1000; ++i)
    html += "<article><h3><a href=x>y</a></h3><p class=footer>" + paragraph(i) + "</p></article>";
  EXPECT_FALSE(read_text(html).empty());
}

}  // namespace
}  // namespace neardup::text::html_items_test
