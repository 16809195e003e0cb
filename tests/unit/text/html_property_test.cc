// What holds of any page, of articles put together at random, and of the small rules beside: names, addresses, spaces.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "neardup/text/html/hints.h"
#include "neardup/text/html/render.h"
#include "neardup/text/mask_url.h"
#include "neardup/text/quoted_printable.h"
#include "neardup/text/utf8.h"
#include "tests/unit/text/html_pages.h"

namespace neardup::text {
namespace {

bool is_whole(std::string_view text) {
  for (const char* at = text.data(); at < text.data() + text.size();) {
    const Decoded decoded = decode(at, text.data() + text.size());
    if (!decoded.valid) return false;
    at += decoded.size_bytes;
  }
  return true;
}

HtmlPage page_of(const std::string& html, const HtmlOptions& options = {}) {
  HtmlReader reader;
  HtmlPage page;
  reader.read(html, options, page);
  return page;
}

// Tags opened and closed in any order, attributes, references, texts and bytes of nobody.
std::string soup(std::mt19937_64& random) {
  static constexpr const char* kPieces[] = {"<p>",
                                            "</p>",
                                            "<div class=\"story\">",
                                            "</div>",
                                            "<article>",
                                            "</article>",
                                            "<nav>",
                                            "</nav>",
                                            "<table>",
                                            "<tr><td>",
                                            "</table>",
                                            "<ul><li>",
                                            "</ul>",
                                            "<script>",
                                            "</script>",
                                            "<!--",
                                            "-->",
                                            "&amp;",
                                            "&#x41;",
                                            "&bogus;",
                                            "<",
                                            ">",
                                            "\"",
                                            "<p",
                                            "<title>T",
                                            "</title>",
                                            "<h1>Head</h1>",
                                            "<a href=#>",
                                            "</a>",
                                            "\xff",
                                            "中文的一段。",
                                            "<br>",
                                            "<pre>\n",
                                            "</pre>",
                                            "<template>",
                                            "<noscript>",
                                            "<body>",
                                            "</html>",
                                            "plain words, and more of them. ",
                                            "\n\n",
                                            "<style>a{}",
                                            "</style>",
                                            "<b><i></b>",
                                            "\0x",
                                            "<svg><p>",
                                            "<input>"};
  std::string html = random() % 2 == 0 ? "<!DOCTYPE html><html><body>" : "";
  for (size_t i = random() % 60; i > 0; --i) html += kPieces[random() % std::size(kPieces)];
  return html;
}

TEST(HtmlOfAnyBytes, IsUtf8InLinesThatAreNotEmpty) {
  std::mt19937_64 random(1);
  HtmlReader reader;
  HtmlPage page;
  for (int round = 0; round < 1500; ++round) {
    const std::string html = soup(random);
    for (const bool main_only : {true, false}) {
      reader.read(html, {.main_only = main_only}, page);
      EXPECT_TRUE(!is_whole(html) || (is_whole(page.title) && is_whole(page.text))) << html;
      EXPECT_EQ(page.title.find('\n'), std::string::npos) << html;
      EXPECT_EQ(page.text.find("\n\n"), std::string::npos) << "no empty lines: " << html;
      EXPECT_TRUE(page.text.empty() || page.text.front() != '\n') << html;
      EXPECT_FALSE(page.encoding.empty());
    }
  }
}

TEST(HtmlOfAnyBytes, AReaderThatHasReadOthersReadsAsANewOne) {
  std::mt19937_64 random(2);
  HtmlReader reader;
  HtmlPage page;
  for (int round = 0; round < 400; ++round) {
    const std::string html = soup(random);
    reader.read(html, {}, page);
    const HtmlPage fresh = page_of(html);
    EXPECT_EQ(page.text, fresh.text) << html;
    EXPECT_EQ(page.title, fresh.title) << html;
    EXPECT_EQ(page.language, fresh.language);
    EXPECT_EQ(page.complete, fresh.complete);
  }
}

TEST(HtmlOfAnyBytes, WhatIsReadEndsWhereItIsTold) {
  std::string html = "<!DOCTYPE html><html><body><article>";
  for (int i = 0; i < 60; ++i) html += "<p>" + paragraph(i) + "</p>";
  EXPECT_TRUE(page_of(html).complete);
  size_t before = 0;
  for (size_t most = 0; most <= html.size(); most += 500) {
    const HtmlPage page = page_of(html, {.max_bytes = most});
    EXPECT_FALSE(page.complete) << most;
    EXPECT_GE(page.text.size() + 400, before) << "hardly less where more is read";
    EXPECT_LE(page.text.size(), most);
    before = page.text.size();
  }
}

// An article of random length among random surroundings: all of it is found, in order, and nothing of these.
TEST(HtmlArticles, AreFoundWholeInWhateverSurroundsThem) {
  std::mt19937_64 random(3);
  static constexpr const char* kAround[] = {
      "<nav><ul><li><a href='/a'>Surroundings one</a></li><li><a href='/b'>Surroundings two</a></li></ul></nav>",
      "<footer><p>Surroundings of the house. All rights reserved.</p></footer>",
      "<aside class='sidebar'><p>Surroundings: <a href='/c'>another story</a></p></aside>",
      "<div class='cookie-notice'><p>Surroundings use cookies. <button>Accept</button></p></div>",
      "<div class='share'><a href='/s'>Surroundings to share</a></div>",
      "<form><label>Surroundings</label><input name='q'></form>",
      "<script>var surroundings = '<p>Surroundings</p>';</script>",
      "<div class='comments'><p>Surroundings say somebody.</p></div>"};
  for (int round = 0; round < 120; ++round) {
    const int count = 4 + static_cast<int>(random() % 12);
    std::string html = "<!DOCTYPE html><html lang=\"en\"><head><title>A title</title></head><body>";
    for (size_t i = random() % 3; i > 0; --i) html += kAround[random() % std::size(kAround)];
    html += random() % 2 == 0 ? "<article>" : "<div class=\"post-content\">";
    const bool is_article = html.ends_with("<article>");
    std::string expected;
    for (int i = 0; i < count; ++i) {
      html += "<p>" + paragraph(i) + "</p>\n";
      expected += paragraph(i) + "\n";
    }
    html += is_article ? "</article>" : "</div>";
    for (size_t i = random() % 3; i > 0; --i) html += kAround[random() % std::size(kAround)];
    const HtmlPage page = page_of(html + "</body></html>");
    EXPECT_EQ(page.text, expected) << html;
    EXPECT_EQ(page.title, "A title");
    EXPECT_EQ(page.language, "en");
    const std::string all = page_of(html, {.main_only = false}).text;
    for (int i = 0; i < count; ++i) EXPECT_NE(all.find(paragraph(i)), std::string::npos);
  }
}

TEST(HintsOfNames, AreOfTheirWordsHoweverTheseAreJoined) {
  for (const char* name : {"cookie", "sidebar", "comments", "article", "share", "byline", "footer"}) {
    const uint32_t hints = hints_of_name(name) & ~uint32_t{kSideBar};  // which the first word of a name says alone
    EXPECT_NE(hints, kNoHint) << name;
    const std::string word = name;
    std::string capital = word;
    capital[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capital[0])));
    for (const std::string& joined :
         {"x-" + word, word + "_2", "zz " + word + " zz", "zz" + capital, "a1:" + word + ".b"})
      EXPECT_EQ(hints_of_name(joined) & hints, hints) << joined;
  }
  for (const char* name : {"sidebar", "aside-content", "main aside-right", "col Sidebar_2"})
    EXPECT_NE(hints_of_name(name) & kSideBar, 0u) << name;
  for (const char* name : {"with-sidebar", "has_aside main", "noSidebar", "x--aside"})
    EXPECT_EQ(hints_of_name(name) & kSideBar, 0u) << name;
  EXPECT_EQ(hints_of_name(""), kNoHint);
  EXPECT_EQ(hints_of_name("qqq zzz-12"), kNoHint);
}

TEST(HintsOfNames, OfTwoWordsAreThoseOfBothAndOfSixtyFourAtMost) {
  const uint32_t both = hints_of_name("cookie sidebar");
  EXPECT_EQ(both & hints_of_name("cookie"), hints_of_name("cookie"));
  EXPECT_EQ(both & hints_of_name("sidebar"), hints_of_name("sidebar"));
  std::string many;
  for (int i = 0; i < 64; ++i) many += "zz ";
  EXPECT_EQ(hints_of_name(many + "sidebar"), kNoHint);
  EXPECT_NE(hints_of_name("sidebar " + many), kNoHint);
}

struct AddressCase {
  const char* text;
  const char* address;  // that it begins with; empty: none
};

TEST(AddressesInText, UrlsEndBeforeTheSentenceDoes) {
  for (const AddressCase& given :
       {AddressCase{"http://a.org", "http://a.org"}, AddressCase{"https://a.org/b?c=d#e next", "https://a.org/b?c=d#e"},
        AddressCase{"www.a.org.", "www.a.org"}, AddressCase{"https://a.org/b, and", "https://a.org/b"},
        AddressCase{"https://a.org/\"quoted", "https://a.org/"}, AddressCase{"ftp://a.org/f)", "ftp://a.org/f"},
        AddressCase{"https://a.org/中文", "https://a.org/"}, AddressCase{"httpx://a.org", ""}, AddressCase{"a.org", ""},
        AddressCase{"", ""}, AddressCase{"www", ""}})
    EXPECT_EQ(std::string_view(given.text).substr(0, url_size(given.text)), given.address) << given.text;
}

TEST(AddressesInText, MailAddressesHaveAHostWithADot) {
  for (const AddressCase& given : {AddressCase{"a@b.org", "a@b.org"},
                                   AddressCase{"first.last+tag@sub.host.org, and", "first.last+tag@sub.host.org"},
                                   AddressCase{"a@b.org.", "a@b.org"}, AddressCase{"a@b", ""},
                                   AddressCase{"@b.org", ""}, AddressCase{"a b@c.org", ""}, AddressCase{"", ""}})
    EXPECT_EQ(std::string_view(given.text).substr(0, email_size(given.text)), given.address) << given.text;
}

TEST(AddressesInText, TrackingGoesAndTheRestStays) {
  for (const auto& [url, plain] :
       std::vector<std::pair<const char*, const char*>>{{"https://a.org/b?utm_source=x&c=d", "https://a.org/b?c=d"},
                                                        {"https://a.org/b?c=d&utm_medium=y", "https://a.org/b?c=d"},
                                                        {"https://a.org/b?gclid=1", "https://a.org/b"},
                                                        {"https://a.org/b?c=d", "https://a.org/b?c=d"},
                                                        {"https://a.org/", "https://a.org/"}}) {
    std::string out = "before ";
    const bool had_any = append_without_tracking(url, out);
    EXPECT_EQ(out, std::string("before ") + plain);
    EXPECT_EQ(had_any, std::string_view(url) != plain) << url;
    std::string again;
    EXPECT_FALSE(append_without_tracking(plain, again)) << "nothing is left to go";
  }
}

RC_GTEST_PROP(AddressesInAny, LieWithinTheText, (const std::string& text)) {
  RC_ASSERT(url_size(text) <= text.size());
  RC_ASSERT(email_size(text) <= std::min<size_t>(text.size(), 320));
  RC_ASSERT(url_size("https://a.org/" + text) >= std::string_view("https://a.org").size());
}

TEST(CollapsedSpaces, AreOneAndNoneBehindAnother) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round) {
    std::string text, expected = random() % 2 == 0 ? "a " : "a";
    for (size_t i = random() % 20; i > 0; --i) text += "b \n\t"[random() % 4];
    std::string out = expected;
    for (const char c : text) {
      if (c == 'b')
        expected += c;
      else if (!expected.ends_with(' '))
        expected += ' ';
    }
    append_collapsed(text, out);
    EXPECT_EQ(out, expected);
  }
}

TEST(QuotedPrintablePages, AreKnownByTheirAttributes) {
  EXPECT_TRUE(is_quoted_printable("<html><body style=3D\"a\"><p class=3D\"b\">x</p>"));
  EXPECT_FALSE(is_quoted_printable("<html><body style=\"a\"><p class=\"b\">x=3D</p>"));
  EXPECT_FALSE(is_quoted_printable(""));
  EXPECT_FALSE(is_quoted_printable("<p>a=3Db</p>"));
}

TEST(LooksLikeHtml, ByItsBeginning) {
  for (const char* page : {"<!DOCTYPE html>", "<html>", "  \n<HTML lang=en>", "<head><title>x", "<body>",
                           "<!-- a --><html>", "<title>x</title>", "<meta charset=utf-8>"})
    EXPECT_TRUE(looks_like_html(page)) << page;
  for (const char* text : {"", "plain", "1 < 2", "<", "<<", "<?xml version=\"1.0\"?><rss>", "<svg>",
                           "# A heading\n<div>", "the tag <html> is one", "<?php echo 1;"})
    EXPECT_FALSE(looks_like_html(text)) << text;
}

}  // namespace
}  // namespace neardup::text
