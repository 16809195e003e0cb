// Notices that ask for consent to cookies, and texts that tell of cookies.
#include <gtest/gtest.h>

#include <string>

#include "neardup/text/html/html.h"
#include "tests/unit/text/html_pages.h"

namespace neardup::text {
namespace {

constexpr const char* kCookies =
    "<p>We and our partners store information on a device, such as cookies, and process personal data, such as unique "
    "identifiers, for personalised ads and content, measurement, and insights. You may click to consent to that, or "
    "change your mind at any time, by clicking on the button at the bottom of any page.</p>";

TEST(HtmlNotice, NeverWins) {
  const std::string product =
      "<div class=prod><h2>Steel anchor</h2><table><tr><td>Weight<td>10 kg<tr><td>Material<td>Galvanised steel<tr>"
      "<td>Length<td>71 cm</table><ul><li>Folds flat<li>Rust proof for five years<li>Made in Norway</ul></div>";
  const std::string text =
      "Weight\t10 kg\nMaterial\tGalvanised steel\nLength\t71 cm\nFolds flat\nRust proof for five "
      "years\nMade in Norway\n";
  for (const std::string open : {"<div id=onetrust-consent-sdk><div>", "<div class=cookie-bar><div>", "<div><div>"}) {
    EXPECT_EQ(read_text("<body>" + product + open + kCookies + "</div></div>"), "Steel anchor\n" + text) << open;
  }
  const std::string about = read_text("<body><div class=cookies><h1>Baking</h1>" + paragraphs(1, 3) + "</div>");
  EXPECT_NE(about.find(paragraph(2)), std::string::npos) << "a name that says something else";
}

constexpr const char* kFooter =
    "This manual is part of the package web tools, written by many people over many years, and given away under the "
    "terms of the license that comes with it, without any warranty, not even the implied one.";

constexpr const char* kManual =
    "The function session_start opens a session, reads its identifier from the request, and locks the file that "
    "belongs to it. It uses cookies to hand the identifier to the browser, unless the setting trans_sid is on, in "
    "which case links are rewritten. Call it before any output is sent, since headers cannot be changed later on, and "
    "expect false where the file is not writable by the server.";

TEST(HtmlNotice, TextsThatTellOfCookiesAreText) {
  for (const std::string& text :
       {std::string(kManual),
        std::string("A reverse proxy keeps answers of slow machines in memory, serves them to further visitors, and "
                    "asks again once they are stale. Whether an answer may be kept depends on the request: where the "
                    "page uses cookies, it is private by default, and the rule vary has to be written for it."),
        std::string("قررت اللجنة في البرلمان أمس قانونا جديدا يخص الإعلانات، ويمنع الشركات من جمع ملفات تعريف الارتباط "
                    "دون إذن، وتبلغ الغرامة عشرة ملايين، ويسري القانون من بداية العام القادم في كل المدن.")}) {
    const std::string html =
        "<title>manual</title><body><div><h2>Page</h2><p>" + text + "</p></div><div><p>" + kFooter + "</p></div>";
    EXPECT_EQ(read_text(html), "Page\n" + text + "\n" + kFooter + "\n");
  }
}

TEST(HtmlNotice, APartThatTellsOfCookiesStaysBesideALongerOne) {
  const std::string html = "<body><div>" + paragraphs(1, 4) + "</div><div><p>" + kManual + "</p></div>";
  const std::string text = read_text(html);
  EXPECT_NE(text.find("It uses cookies"), std::string::npos) << "no sign of a notice beside what it says";
  EXPECT_NE(text.find(paragraph(4)), std::string::npos);
}

TEST(HtmlNotice, BiscuitsInAPartNamedModalAreText) {
  const std::string recipe =
      "Mix the butter with the sugar, add two eggs, flour, and the chopped chocolate. Form balls, as large as a "
      "walnut, and bake each cookie for twelve minutes until the rim is brown, then let it rest on the tray, as it is "
      "soft while hot.";
  for (const std::string name : {"modal", "popup", "agegate", "consent"}) {
    const std::string html = "<title>recipe</title><body><div class=\"" + name + " recipe\"><h2>Recipe</h2><p>" +
                             recipe + "</p></div><div><p>" + kFooter + "</p></div>";
    EXPECT_EQ(read_text(html), "Recipe\n" + recipe + "\n" + kFooter + "\n") << name;
  }
}

TEST(HtmlNotice, AnArticleOnConsentIsTextByItsHeadlineOrTag) {
  const std::string said = std::string(kCookies).substr(3, std::string(kCookies).size() - 7);
  const auto page = [](const std::string& inner) {
    return "<body><div>" + inner + kCookies + kCookies + "</div></div><div><p>" + kFooter + "</p></div>";
  };
  EXPECT_EQ(read_text(page("<h1>On consent</h1><div>")), said + "\n" + said + "\n");
  EXPECT_EQ(read_text(page("<h2>On consent</h2><div role=article>")), said + "\n" + said + "\n");
  EXPECT_EQ(read_text(page("<h2>On consent</h2><div>")), std::string(kFooter) + "\n") << "the same as a notice";
}

TEST(HtmlNotice, ShortNoticesGoWithOneSign) {
  for (const std::string notice :
       {"<div><p>We use cookies, as all sites in the harbour do.</p></div>",
        "<div><p>Welcome to the site of the harbour, the ferry, and the pier, and of those who sail there on Sundays. "
        "This site uses cookies.</p><div role=button>OK</div></div>",
        "<div class=modal><div><div><p>Welcome to the site of the harbour, the ferry, and the pier, and of those who "
        "sail there. This site uses cookies; see our privacy policy.</p></div></div></div>"}) {
    EXPECT_EQ(read_text("<body><div>" + paragraphs(1, 2) + "</div>" + notice),
              paragraph(1) + "\n" + paragraph(2) + "\n")
        << notice;
  }
}

}  // namespace
}  // namespace neardup::text
