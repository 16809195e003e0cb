// Which pages list others: themes of sites as they are common, made here; and which are texts.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "neardup/text/html/html.h"
#include "tests/unit/text/html_pages.h"

namespace neardup::text::html_lists_test {
namespace {

using Titles = std::vector<std::string>;

bool is_list(const std::string& body) {
  HtmlReader reader;
  HtmlPage page;
  reader.read(
      "<!doctype html><html><head><title>Harbour news</title></head><body><header><a href=/>Harbour news</a>"
      "<nav><a href=/>Home</a> <a href=/all>All posts</a></nav></header>" +
          body + "<footer>Imprint, terms</footer></body></html>",
      {}, page);
  return page.is_list;
}

const Titles kTitles = {"Two boats for the ferry", "The old crane is sold", "Lecture 9 on tides",
                        "Who paints the buoys",    "A map of the basin",    "Fish market in May"};
const Titles kChinese = {"码头新到两条渡船", "旧吊车已经卖掉", "潮汐讲座第九讲",
                         "谁来给浮标刷漆",   "港湾地图",       "五月鱼市"};

std::string link_to(const std::string& title) { return "<a href=\"/" + title + "\">" + title + "</a>"; }

std::string each(const Titles& titles, const std::function<std::string(const std::string&)>& item) {
  std::string html;
  for (const std::string& title : titles) html += item(title);
  return html;
}

std::string elements(const Titles& titles, const std::string& open, const std::string& behind,
                     const std::string& close) {
  return each(titles, [&](const std::string& title) { return open + link_to(title) + behind + close; });
}

TEST(HtmlLists, OfManyForms) {
  const std::string teaser = "<p>" + paragraph(1) + "</p>";
  EXPECT_TRUE(is_list("<main><h1>Posts</h1><ul>" + elements(kTitles, "<li>", "", "</li>") + "</ul></main>"));
  EXPECT_TRUE(is_list("<main><h1>Posts</h1><ol>" + elements(kTitles, "<li>", "", "</li>") + "</ol></main>"));
  EXPECT_TRUE(is_list("<main>" + elements(kTitles, "<article><h2>", "</h2>" + teaser, "</article>") + "</main>"));
  EXPECT_TRUE(is_list("<main>" + elements(kTitles, "<section><h3>", "</h3>" + teaser, "</section>") + "</main>"));
  EXPECT_TRUE(is_list("<main><table>" + elements(kTitles, "<tr><td>", "</td><td>Forum</td><td>12</td>", "</tr>") +
                      "</table></main>"));
  EXPECT_TRUE(is_list("<main><div class=grid>" +
                      elements(kTitles, "<div class=card><h3>", "</h3><p>12 EUR</p>", "</div>") + "</div></main>"));
  EXPECT_TRUE(
      is_list("<main><h1>Search</h1><p>Found 30.</p>" +
              elements(kTitles, "<div class=result><h3>", "</h3>" + teaser + "<cite>harbour.org</cite>", "</div>") +
              "</main>"));
  EXPECT_TRUE(is_list("<main><h1>标签：码头</h1><ul>" + elements(kChinese, "<li><time>2021-03-14</time>", "", "</li>") +
                      "</ul></main>"));
  EXPECT_TRUE(is_list("<main><div id=archive>" +
                      elements(kChinese, "<div class=item><time>2021-03-14</time>", "", "</div>") + "</div></main>"));
}

TEST(HtmlLists, OfItemsOfTwo) {
  const Titles two = {kTitles[0], kTitles[1]};
  EXPECT_TRUE(
      is_list("<main>" + elements(two, "<article><h2>", "</h2><p>" + paragraph(1) + "</p>", "</article>") + "</main>"));
}

TEST(HtmlLists, ATextIsNone) {
  EXPECT_FALSE(is_list("<article><h1>Fog</h1>" + paragraphs(1, 6) + "</article>"));
  EXPECT_FALSE(is_list("<article><h1>Fog</h1>" + paragraphs(1, 1) + "</article>"));
  EXPECT_FALSE(is_list("<article><h1>Fog</h1>" + paragraphs(1, 4) + "<ul>" + elements(kTitles, "<li>", "", "</li>") +
                       "</ul></article>"))
      << "with links below";
  EXPECT_FALSE(is_list("<article><h1>Fog</h1>" + paragraphs(1, 4) + "</article><aside>" +
                       elements(kTitles, "<article><h3>", "</h3><p>" + paragraph(2) + "</p>", "</article>") +
                       "</aside>"))
      << "with others beside";
  EXPECT_FALSE(is_list("<main><article><h2>" + link_to("Fog") + "</h2>" + paragraphs(1, 2) + "</article></main>"))
      << "a post alone, as its tag shows it";
  HtmlReader reader;
  HtmlPage page;
  for (const char* html : {"", "<p>The ferry is late.", "<title>Fog</title><h1>Fog</h1>"}) {
    reader.read(html, {}, page);
    EXPECT_FALSE(page.is_list) << html;
  }
}

TEST(HtmlLists, AllThatAPageShowsIsNone) {
  HtmlReader reader;
  HtmlPage page;
  reader.read("<html><body><ul>" + elements(kTitles, "<li>", "", "</li>") + "</ul></body></html>", {.main_only = false},
              page);
  EXPECT_FALSE(page.is_list);
}

}  // namespace
}  // namespace neardup::text::html_lists_test
