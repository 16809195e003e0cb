// Kinds of pages where text hides: leads, recipes, shops, forums, builders of pages, and text that only scripts show.
#include <gtest/gtest.h>

#include <string>

#include "neardup/text/html/html.h"
#include "tests/unit/text/html_pages.h"

namespace neardup::text::html_kinds_test {
namespace {

std::string lines(int first, int count) {
  std::string text;
  for (int i = first; i < first + count; ++i) text += paragraph(i) + "\n";
  return text;
}

constexpr const char* kLead = "After three weeks of storms the ferry runs again, but the old pier will not be rebuilt.";

TEST(HtmlKinds, ALeadInABlockOfItsOwnIsText) {
  const std::string lead = kLead;
  for (const std::string& head :
       {"<h1>Ferry</h1><p class=\"chapo\">" + lead + "</p>", "<h1>Ferry</h1><div class=teaser-text>" + lead + "</div>",
        "<header class=\"article-header\"><h1>Ferry</h1><div><div>" + lead + "</div></div></header>",
        "<div class=header><h1>Ferry</h1><p>" + lead + "</p></div>",
        "<h2>Ferry</h2><div class=intro><p>" + lead + "</p><img src=x></div>",
        "<h1>Ferry</h1><div class=byline>By Ann Example, 3 May</div><section><p>" + lead + "</p></section>"}) {
    const std::string html = "<title>Ferry</title><body><div id=page>" + head + "<div class=\"article-body\">" +
                             paragraphs(1, 6) + "</div></div>";
    EXPECT_EQ(read_text(html), lead + "\n" + lines(1, 6)) << head;
  }
}

TEST(HtmlKinds, ALeadStaysInAHeaderOfManyLinks) {
  const std::string links = "<a href=a>Ann Example, editor of the coast</a> <a href=b>Share this on the quay</a>";
  const std::string html = "<title>Ferry</title><body><article><div class=top><h1>Ferry</h1><p>" + std::string(kLead) +
                           "</p><div>" + links + "</div></div>" + paragraphs(1, 6) + "</article>";
  EXPECT_EQ(read_text(html), kLead + std::string("\n") + lines(1, 6));
}

TEST(HtmlKinds, ListsToTickAreText) {
  const std::string list = "<ul><li><input type=checkbox> Oil the hinges</li><li><input type=checkbox> Paint</li></ul>";
  EXPECT_EQ(read_text("<body><div>" + paragraphs(1, 4) + list + paragraphs(5, 4) + "</div>"),
            lines(1, 4) + "Oil the hinges\nPaint\n" + lines(5, 4));
}

TEST(HtmlKinds, WhatElseStandsBelowAHeadlineIsNoLead) {
  const std::string other = kLead;
  for (const std::string& head :
       {"<h1>Ferry</h1><p><a href=x>" + other + "</a></p>", "<h1>Ferry</h1><ul><li>" + other + "</li></ul>",
        "<h1>Ferry</h1><figure><img src=x><figcaption>" + other + "</figcaption></figure>",
        "<h1>Ferry</h1><div><img src=x><p>" + other + "</p></div>",
        "<h1>Ferry</h1><a href=x><div>" + other + "</div></a>", "<p>" + other + "</p><h1>Ferry</h1>",
        std::string("<h1>Ferry</h1><p>Too short for a lead.</p>")}) {
    const std::string html = "<title>Ferry</title><body><div id=page><div>" + head +
                             "</div><div class=\"article-body\">" + paragraphs(1, 6) + "</div></div>";
    EXPECT_EQ(read_text(html), lines(1, 6)) << head;
  }
}

TEST(HtmlKinds, ARecipeWinsOverANoteOfConsent) {
  std::string recipe = "<h1>Bread</h1><ul>";
  std::string text = "Bread\n";  // a page without sentences is all that it shows, its headline, too
  for (const char* item : {"500 g of flour", "350 ml of water", "10 g of salt", "a spoon of honey", "7 g of yeast"}) {
    recipe += "<li>" + std::string(item) + "</li>";
    text += std::string(item) + "\n";
  }
  recipe += "</ul><ol>";
  for (int i = 1; i < 12; ++i) {
    const std::string step = "Step " + std::to_string(i) + " rest the dough and fold it";
    recipe += "<li>" + step + "</li>";
    text += step + "\n";
  }
  recipe += "</ol>";
  const std::string note =
      "<div id=x1><p>We and our partners store data on devices, read them, and use them for measurement, research, "
      "advertising, and services, as you agree.</p><p>You may refuse, accept, or change your choice, at any time, "
      "below, with effect for the future, on this site.</p></div>";
  const std::string html = "<title>Bread</title><body><main><div><div>" + recipe + "</div></div></main>" + note;
  EXPECT_EQ(read_text(html), text);
}

TEST(HtmlKinds, TextCutIntoSectionsIsWhole) {
  std::string html = "<title>Quay</title><body><div id=page>";
  for (int i = 1; i < 9; ++i) {
    html += "<section><div><div class=col><h2>Heading " + std::to_string(i) + "</h2></div></div><div><div><div>" +
            paragraphs(i, 1) + "</div></div></div></section>";
  }
  const std::string text = read_text(html + "</div>");
  for (int i = 1; i < 9; ++i) EXPECT_NE(text.find(paragraph(i)), std::string::npos) << i;
}

TEST(HtmlKinds, NamesThatAreOnEverythingMeanNothing) {
  std::string html = "<title>Quay</title><body><div id=page>";
  for (int i = 1; i < 9; ++i)
    html += "<div class=\"builder-widget\"><p>The pier is open on day " + std::to_string(i) +
            " of the week and the boat leaves at noon</p></div><div class=\"builder-widget\">" + paragraphs(i, 1) +
            "</div>";
  const std::string text = read_text(html + "</div>");
  for (int i = 1; i < 9; ++i) EXPECT_NE(text.find("on day " + std::to_string(i)), std::string::npos) << i;
  const std::string hidden =
      "<body><main><section class=\"overflow-x-hidden\">" + paragraphs(1, 8) + "</section></main>";
  EXPECT_EQ(read_text(hidden), lines(1, 8));
  const std::string modal = "<body><div class=\"modal-page\"><div>" + paragraphs(1, 8) + "</div></div>";
  EXPECT_EQ(read_text(modal), lines(1, 8));
}

TEST(HtmlKinds, TabsAndFoldsAreText) {
  for (const std::string attributes :
       {"role=tabpanel hidden", "role=region aria-hidden=true", "style='display: none' role=tabpanel"}) {
    const std::string tab = "<div " + attributes + ">" + paragraphs(5, 3) + "</div>";
    EXPECT_EQ(read_text("<body><div>" + paragraphs(1, 4) + tab + "</div>"), lines(1, 7)) << attributes;
  }
  EXPECT_EQ(read_text("<body><div>" + paragraphs(1, 4) + "<div hidden>" + paragraphs(5, 3) + "</div></div>"),
            lines(1, 4));
}

TEST(HtmlKinds, WhatAScriptWouldShowIsTextWhereThereIsNoOther) {
  const std::string app = "<div style=\"visibility: hidden\"><div>" + paragraphs(1, 6) + "</div></div>";
  EXPECT_EQ(read_text("<body>" + app), lines(1, 6));
  EXPECT_EQ(read_text("<body>" + app + "<div>" + paragraphs(10, 6) + "</div>"), lines(10, 6));
  EXPECT_EQ(read_text("<body><p>Loading</p><div hidden><p>Sign in, or go back.</p></div>"), "Loading\n");
}

TEST(HtmlKinds, AShortTextThatIsLittleOfThePageIsNotAllOfIt) {
  std::string html = "<body><center><table><tr><td>" + paragraph(1) + "</td></tr></table><form><table>";
  std::string text;
  for (int i = 1; i < 30; ++i) {
    const std::string row = "Line " + std::to_string(i) + " of the price list of the ferry";
    html += "<tr><td>" + row + "<td><input name=n" + std::to_string(i) + "></tr>";
    text += row + "\n";
  }
  EXPECT_EQ(read_text(html + "</table></form></center>"), lines(1, 1) + text);
}

TEST(HtmlKinds, NoscriptLeftOpenSwallowsNothing) {
  const std::string image = "<noscript><div><img src=pixel.gif></noscript>";
  EXPECT_EQ(read_text("<body>" + image + "<div>" + paragraphs(1, 6) + "</div>"), lines(1, 6));
  EXPECT_EQ(read_text("<head><noscript><style>a{}</noscript></head><body><div>" + paragraphs(1, 6) + "</div>"),
            lines(1, 6));
  EXPECT_EQ(read_text("<body><noscript><p>x<div>" + paragraphs(1, 6) + "</div>"), lines(1, 6)) << "never closed";
}

TEST(HtmlKinds, TextForReadersWithoutScriptsIsFoundWhereThereIsNoOther) {
  for (const std::string tag : {"noscript", "template"}) {
    const std::string kept = "<" + tag + "><div>" + paragraphs(1, 6) + "</div></" + tag + ">";
    EXPECT_EQ(read_text("<body><div id=app></div>" + kept), lines(1, 6)) << tag;
    EXPECT_EQ(read_text("<body><div>" + paragraphs(10, 6) + "</div>" + kept), lines(10, 6)) << tag;
  }
  EXPECT_EQ(read_text("<body><div id=app></div><noscript>You need to enable JavaScript to run this app.</noscript>"),
            "")
      << "pages of all kinds say it";
}

TEST(HtmlKinds, PostsMarkedAsCommentsAreTextWhereThereIsNoOther) {
  const std::string posts = "<div itemscope itemtype=\"https://schema.org/Comment\">" + paragraphs(1, 6) + "</div>";
  EXPECT_EQ(read_text("<body><div>" + posts + "</div>"), lines(1, 6));
  EXPECT_EQ(read_text("<body><div>" + paragraphs(10, 6) + "</div><div>" + posts + "</div>"), lines(10, 6));
}

TEST(HtmlKinds, PostsOfAForumAreTextAlthoughTheyAreMarkedAsComments) {
  const std::string comment = " itemscope itemtype=\"https://schema.org/Comment\">";
  std::string posts = "<article class=message>" + paragraphs(1, 4) + "</article>";
  for (int i = 5; i < 8; ++i) posts += "<article class=message" + comment + paragraphs(i, 1) + "</article>";
  EXPECT_EQ(read_text("<body><div>" + posts + "</div>"), lines(1, 7)) << "alike, side by side";

  const std::string thread = "<div itemscope itemtype=\"https://schema.org/DiscussionForumPosting\"><div>" +
                             paragraphs(1, 4) + "</div><section><div" + comment + paragraphs(5, 3) +
                             "</div></section></div>";
  EXPECT_EQ(read_text("<body>" + thread), lines(1, 7)) << "within a discussion";

  const std::string blog = "<article class=post>" + paragraphs(1, 4) + "</article><ol><li" + comment +
                           paragraphs(5, 1) + "</li><li" + comment + paragraphs(6, 1) + "</li></ol>";
  EXPECT_EQ(read_text("<body><div>" + blog + "</div>"), lines(1, 4)) << "comments of a blog";
}

std::string data_page(const std::string& json) {
  return "<head><script type=\"application/ld+json\">" + json + "</script></head><body><div id=app></div>";
}

TEST(HtmlKinds, DataForMachinesIsTextWhereThereIsNoOther) {
  const std::string body = paragraph(1) + " " + paragraph(2);
  EXPECT_EQ(read_text(data_page(R"({"@type":"NewsArticle","headline":"x","articleBody":")" + body + "\"}")),
            body + "\n");
  EXPECT_EQ(read_text(data_page(R"({"@graph":[{"@type":"Thing"},{"description":")" + body + "\"}]}")), body + "\n");
  EXPECT_EQ(read_text(data_page(R"({"recipeIngredient":["flour &amp; water"],"description":"no","recipeInstructions":)"
                                R"([{"@type":"HowToStep","text":")" +
                                body + "\"}]}")),
            "flour & water\n" + body + "\n");
  EXPECT_EQ(read_text(data_page(R"({"articleBody":"<p>)" + paragraph(1) + "</p><p>" + paragraph(2) + "</p>\"}")),
            lines(1, 2));
  EXPECT_EQ(read_text(data_page(R"({"articleBody":")" + body + "\"}") + paragraphs(5, 4)), lines(5, 4));
}

TEST(HtmlKinds, DataThatIsBrokenShortOrDeepIsNoText) {
  EXPECT_EQ(read_text(data_page("{\"articleBody\":\"" + paragraph(1) + paragraph(2))), "");
  EXPECT_EQ(read_text(data_page(R"({"description":"A shop."})")), "");
  EXPECT_EQ(read_text(data_page(R"({"articleBody":[7,null,true,{}]})")), "");
  EXPECT_EQ(read_text("<p>application/ld+json > {\"articleBody\":\"" + paragraph(1) + "\"}</p>"),
            "application/ld+json > {\"articleBody\":\"" + paragraph(1) + "\"}\n");
  std::string deep = "{\"articleBody\":\"" + paragraph(1) + paragraph(2) + "\"}";
  for (int i = 0; i < 40; ++i) deep = "{\"a\":" + deep + "}";
  EXPECT_EQ(read_text(data_page(deep)), "");
  EXPECT_EQ(read_text(data_page(std::string(100'000, '['))), "");
}

TEST(HtmlKinds, TheTitlesOfFoldsAreText) {
  const std::string buttons = "<main><h2><button>How long does it take?</button></h2><div>" + paragraph(1) +
                              "</div><h2><button>What does it cost?</button></h2><div>" + paragraph(2) +
                              "</div></main>";
  EXPECT_EQ(read_text("<body>" + buttons),
            "How long does it take?\n" + lines(1, 1) + "What does it cost?\n" + lines(2, 1));
  const std::string toggles = "<main>" + paragraphs(1, 3) +
                              "<div role=tablist><div role=button>How long?</div><div role=region>" + paragraph(4) +
                              "</div></div><div role=button>Open the menu</div></main>";
  EXPECT_EQ(read_text("<body>" + toggles), lines(1, 3) + "How long?\n" + lines(4, 1));
}

TEST(HtmlKinds, PartsOfOneClassAreOneText) {
  const auto column = [](int i) {
    return "<div class=col><div class=module><h4>Reason " + std::to_string(i) + "</h4><div><p>" + paragraph(i) +
           "</p></div></div></div>";
  };
  const std::string page = "<div class=row><div class=col><div class=inner>" + paragraphs(1, 5) +
                           "</div></div></div><div class=row>" + column(6) + column(7) + "</div>";
  EXPECT_EQ(read_text("<body><div id=all>" + page + "</div>"),
            lines(1, 5) + "Reason 6\n" + lines(6, 1) + "Reason 7\n" + lines(7, 1));
}

}  // namespace
}  // namespace neardup::text::html_kinds_test
