// Pages that are no single text: what they list is their substance. Themes of sites as they are common, made here.
#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "neardup/text/html/html.h"
#include "tests/unit/text/html_pages.h"

namespace neardup::text::html_listing_test {
namespace {

using Titles = std::vector<std::string>;

std::string each(const Titles& titles, const std::function<std::string(const std::string&)>& item) {
  std::string html;
  for (const std::string& title : titles) html += item(title);
  return html;
}

std::string link_to(const std::string& title) { return "<a href=\"/" + title + "\">" + title + "</a>"; }

// What a site says on all of its pages.
const std::string kFrame =
    "<header><a href=/>Harbour news</a><nav><a href=/>Home</a> <a href=/all>All posts</a></nav></header>";
const std::string kSideBar =
    "<div class=card>The harbour news tell what happens at the quay</div><div class=card>Posts 822 Tags 81 Topics 34 "
    "Followers 1204</div><div class=card>Newest posts <a href=/n1>A crane for the north pier</a> 2024-11-18 <a "
    "href=/n2>The lighthouse is painted</a> 2024-11-17</div><div class=card>Topics <a href=/t1>Ships</a>48 <a "
    "href=/t2>Fish</a>23 <a href=/t3>Weather</a>11</div><div class=card>Visitors of the site 1464k, pages read "
    "2210k</div>";

std::string page(const std::string& body) {
  return "<!doctype html><html><head><title>Harbour news</title></head><body>" + kFrame + body +
         "<footer>Imprint, terms</footer></body></html>";
}

// Each theme makes the page of some titles.
std::string archive(const Titles& titles) {
  return page("<main><div id=archive><div>Archive - 822</div>" +
              each(titles,
                   [](const std::string& title) {
                     return "<div class=item><div class=time><time>2021-03-14</time></div>" + link_to(title) + "</div>";
                   }) +
              "</div><div id=aside-content>" + kSideBar + "</div></main>");
}

std::string press_list(const Titles& titles) {
  return page(
      "<main>" +
      each(titles,
           [](const std::string& title) {
             return "<article class=\"news-item hentry\"><div class=columns><header class=\"entry-header\"><span "
                    "class=entry-date>February 16</span><a href=\"/" +
                    title + "\"><h2>" + title +
                    "</h2></a></header>Official site of the harbour, with what is known of services, permits, "
                    "licences, and records for crews and guests.<p class=description></p></div></article><hr>";
           }) +
      "</main>");
}

std::string blog(const Titles& titles) {
  return page("<div id=content><h1>Tag: quay</h1>" +
              each(titles,
                   [](const std::string& title) {
                     return "<article><header><h2>" + link_to(title) + "</h2></header><p>" + paragraph(1) +
                            "</p><footer>Read on</footer></article>";
                   }) +
              "</div>");
}

std::string results(const Titles& titles) {
  return page("<main><h1>Search</h1><p>Found 30.</p><table>" +
              each(titles,
                   [](const std::string& title) {
                     return "<tr><td>" + link_to(title) + "</td><td>Forum</td><td>12</td></tr>";
                   }) +
              "</table></main>");
}

std::string products(const Titles& titles) {
  return page("<main><div class=grid>" +
              each(titles,
                   [](const std::string& title) {
                     return "<div class=product><img src=x.jpg><h3>" + link_to(title) +
                            "</h3><span>12 EUR</span></div>";
                   }) +
              "</div></main>");
}

std::string gallery(const Titles& titles) {
  return page("<main><h1>Pictures</h1><ul>" +
              each(titles,
                   [](const std::string& title) {
                     return "<li><figure><a href=x><img src=x.jpg></a><figcaption>" + title +
                            "</figcaption></figure></li>";
                   }) +
              "</ul></main>");
}

std::string hub(const Titles& titles) {
  return page("<main><h1>Services</h1><section><h2>For crews</h2><ul>" +
              each(titles, [](const std::string& title) { return "<li>" + link_to(title) + "</li>"; }) +
              "</ul></section><section><h2>For guests</h2><ul><li>Tours</li></ul></section></main>");
}

const Titles kFirst = {"Two boats for the ferry", "The old crane is sold", "Lecture 9 on tides", "Who paints the buoys",
                       "A map of the basin"};
const Titles kSecond = {"Fish market in May", "Ropes and how to splice them", "Lecture 3 on winds",
                        "The pilot's boat at night", "Storm of the century"};

TEST(HtmlListing, WhatIsListedIsTheText) {
  using Theme = std::string (*)(const Titles&);
  for (const auto& [name, theme] : std::vector<std::pair<const char*, Theme>>{{"archive", archive},
                                                                              {"press list", press_list},
                                                                              {"blog", blog},
                                                                              {"results", results},
                                                                              {"products", products},
                                                                              {"gallery", gallery},
                                                                              {"hub", hub}}) {
    const std::string first = read_text(theme(kFirst)), second = read_text(theme(kSecond));
    for (const std::string& title : kFirst) EXPECT_NE(first.find(title), std::string::npos) << name << ": " << first;
    for (const std::string& title : kSecond) EXPECT_NE(second.find(title), std::string::npos) << name << ": " << second;
    for (const char* frame : {"All posts", "Imprint"})
      EXPECT_EQ(first.find(frame), std::string::npos) << name << ": " << first;
  }
}

TEST(HtmlListing, ASideBarIsNotTheList) {
  EXPECT_EQ(read_text(archive(kFirst)).find("lighthouse"), std::string::npos);
  const std::string wrapped = page("<div class=\"sidebar-right\"><main>" + each(kFirst, link_to) + "</main></div>");
  EXPECT_NE(read_text(wrapped).find(kFirst.back()), std::string::npos) << "the name of what holds the page";
}

TEST(HtmlListing, AnArticleAmongListsIsATextAlone) {
  const std::string others =
      "<section><h2>Elsewhere</h2>" +
      each(kSecond,
           [](const std::string& title) {
             return "<article><h3>" + link_to(title) + "</h3><p>" + paragraph(2) + "</p></article>";
           }) +
      "</section>";
  std::string lines;
  for (int i = 1; i < 6; ++i) lines += paragraph(i) + "\n";
  EXPECT_EQ(
      read_text(page("<article><h1>Harbour news</h1>" + paragraphs(1, 5) + "</article><aside>" + others + "</aside>")),
      lines);
  // A short one, too: a paragraph of sentences, and nothing else was chosen.
  EXPECT_EQ(read_text(page("<article>" + paragraphs(1, 1) + "</article><div>" + each(kSecond, link_to) + "</div>")),
            paragraph(1) + "\n");
}

TEST(HtmlListing, SectionsOfATextAreNoItems) {
  std::string sections, lines;
  for (int i = 0; i < 4; ++i) {
    const std::string number = std::to_string(i);
    sections += "<section><h2 id=s" + number + ">Part " + number + "</h2><ul class=share><li><a href=x>Share</a></ul>" +
                paragraphs(2 * i, 2) + "</section>";
    lines += "Part " + number + "\n" + paragraph(2 * i) + "\n" + paragraph(2 * i + 1) + "\n";
  }
  EXPECT_EQ(read_text(page("<main>" + sections + "</main>")), lines);
}

// As scripts show them: hidden until then, beside what all pages of the site say.
std::string hidden(const std::string& body, const std::string& beside = "") {
  return "<html><head><title>t</title></head><body><div class=nav><a href=/>Home page</a></div>" + beside +
         "<div class=wrap><div id=app style=\"display:none\"><h1>List</h1>" + body + "</div></div></body></html>";
}

TEST(HtmlListing, HiddenTextThatWasFoundStays) {
  std::string sentences, parts, items;
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    sentences += "<p>This is a real sentence that stands in the article, and it has a period.</p>";
    parts += "<p>part" + number + " bolt nut screw washer ring pin clip gear cog wheel belt</p>";
    items += "<div class=item><h2>" + link_to("Title " + number) + "</h2><p>This is a longer sentence of item " +
             number + " that stands in the list, and it has a period at its end.</p></div>";
  }
  const std::string wait =
      "<p>Welcome to the shop of the town. The list of all that we sell is loading, so please wait for it.</p>";
  EXPECT_NE(read_text(hidden(sentences)).find("a real sentence"), std::string::npos);
  EXPECT_NE(read_text(hidden(parts, "<p>Loading the list of parts</p>")).find("part19 bolt"), std::string::npos);
  EXPECT_NE(read_text(hidden(parts, wait)).find("part19 bolt"), std::string::npos);
  EXPECT_NE(read_text(hidden(items)).find("item 19 that"), std::string::npos);
}

TEST(HtmlListing, AHiddenListIsAsWholeAsAShownOne) {
  Titles titles;
  for (int i = 0; i < 30; ++i) titles.push_back("Title " + std::to_string(i) + ", of the harbour and its boats");
  using Theme = std::string (*)(const Titles&);
  for (const Theme theme : std::initializer_list<Theme>{archive, press_list, blog, results, products, gallery, hub}) {
    const std::string text = read_text(hidden(theme(titles)));
    for (const std::string& title : titles) EXPECT_NE(text.find(title), std::string::npos) << title << " in " << text;
  }
}

TEST(HtmlShown, IsAllThatAReaderSees) {
  HtmlReader reader;
  HtmlPage read;
  const std::string html = page("<article>" + paragraphs(1, 4) + "</article><p hidden>unseen</p>");
  reader.read(html, {.shown = true}, read);
  EXPECT_EQ(read.text.find("All posts"), std::string::npos);
  for (const std::string& part : {std::string("All posts"), std::string("Imprint"), paragraph(4)})
    EXPECT_NE(read.shown.find(part), std::string::npos) << read.shown;
  EXPECT_EQ(read.shown.find("unseen"), std::string::npos);
  reader.read(html, {}, read);
  EXPECT_EQ(read.shown, "") << "it was not asked for";
}

}  // namespace
}  // namespace neardup::text::html_listing_test
