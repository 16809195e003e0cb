// Pages that list others: what their links say is their substance.
#include <gtest/gtest.h>

#include <string>

#include "neardup/text/html/html.h"
#include "tests/unit/text/html_pages.h"

namespace neardup::text {
namespace {

std::string links(const std::string& about, int count) {
  std::string html;
  for (int i = 0; i < count; ++i) {
    html +=
        "<li><a href=/" + std::to_string(i) + ">" + about + " in the year " + std::to_string(1900 + i) + "</a></li>";
  }
  return html;
}

constexpr const char* kAbout =
    "<p>On this page you find everything that we have published, sorted by date, and the newest comes first; older "
    "reports are in the archive of the library, which is open every day but Sunday.</p>";

std::string tag_page(const std::string& about) {
  return "<html><head><title>" + about +
         "</title></head><body><nav><a href=/>Home</a> <a href=/all>All pages</a></nav>"
         "<div id=content><h1>" +
         about + "</h1>" + kAbout + "<ul class=posts>" + links(about, 20) +
         "</ul></div><footer>Imprint</footer></body></html>";
}

TEST(HtmlIndex, TheLinksOfATagPageAreItsText) {
  const std::string text = read_text(tag_page("Harbours"));
  EXPECT_NE(text.find("On this page you find everything"), std::string::npos);
  EXPECT_NE(text.find("Harbours in the year 1919"), std::string::npos) << text;
  EXPECT_EQ(text.find("All pages"), std::string::npos);
  EXPECT_EQ(text.find("Imprint"), std::string::npos);
  EXPECT_NE(text, read_text(tag_page("Mountains")));
}

TEST(HtmlIndex, AShortArticleAmongLinksIsNoIndex) {
  const std::string others = "<div class=list><ul>" + links("Another report", 20) + "</ul></div>";
  const std::string text = std::string(kAbout) + "<p>" + std::string(kAbout).substr(3);
  const std::string three = text + kAbout;
  const auto read = [&](const std::string& head, const std::string& body) {
    return read_text("<html><head>" + head + "</head><body><p>Site</p><div id=page><div class=x>" + body + "</div>" +
                     others + "</div></body></html>");
  };
  EXPECT_NE(read("", kAbout).find("Another report"), std::string::npos);
  EXPECT_EQ(read("", three).find("Another report"), std::string::npos) << "three paragraphs of sentences";
  EXPECT_EQ(read("<meta property=article:published_time content=2026-01-01>", kAbout).find("Another report"),
            std::string::npos);
  EXPECT_EQ(read("", "<div itemprop=articleBody>" + text + "</div>").find("Another report"), std::string::npos);
}

}  // namespace
}  // namespace neardup::text
