// Mails, and pages that were written by hand: nothing says what their parts are, and pictures may be all they have.
#include <gtest/gtest.h>

#include <string>

#include "neardup/text/html/html.h"
#include "neardup/text/quoted_printable.h"

namespace neardup::text {
namespace {

std::string read_text(const std::string& html, bool main_only = true) {
  HtmlReader reader;
  HtmlPage page;
  reader.read(html, {.main_only = main_only}, page);
  return page.text;
}

std::string decoded(const std::string& text) {
  std::string out;
  decode_quoted_printable(text, out);
  return out;
}

TEST(HtmlMail, QuotedPrintableIsDecoded) {
  EXPECT_EQ(decoded("a=3Db=\nc=\r\nd= \t\ne=e9=E9f"),
            "a=bcde\xE9\xE9"
            "f");
  EXPECT_EQ(decoded("=3"), "=3");
  EXPECT_EQ(decoded("x="), "x=");
  EXPECT_EQ(decoded("=zz=4 1"), "=zz=4 1");
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(
      read_text(
          "<html><body bgcolor=3D\"#FFFFFF\"><p align=3D\"center\">Sav=\nings on ton=\r\ner</p><font size=3D\"2\">"
          "caf=C3=A9</font></body></html>"),
      "Savings on toner\ncaf\u00e9\n");
}

TEST(HtmlMail, PagesThatSpeakOfQuotedPrintableAreNot) {
  EXPECT_FALSE(is_quoted_printable("<p class=\"a\" id=\"b\">An attribute becomes =3D\"x\", or =3D\"y\".</p>"));
  EXPECT_FALSE(is_quoted_printable("<p>An attribute becomes =3D\"x\".</p>"));
  EXPECT_TRUE(is_quoted_printable("<p class=3D\"a\" id=3D'b' lang=3D\"c\">x=3D1</p>"));
}

TEST(HtmlMail, AreReadWhole) {
  const std::string mail =
      "<html><body><center><table border=0><tr><td><a href='http://a.example/'><p><b>Everything on sale</b></p></a>"
      "<ul><li>No fees</li><li>No contracts</li></ul></td></tr></table>"
      "<form>Name* <input name=n><br>Company* <input name=c></form>"
      "<p>You are receiving this special offer because you have provided permission to receive mail about such "
      "offers. If you feel you have received this message in error, or wish to be removed from the list, click "
      "<a href='mailto:x@a.example'>here</a>, and you will be removed within three business days.</p></body></html>";
  EXPECT_EQ(read_text(mail), read_text(mail, false));
  EXPECT_NE(read_text(mail).find("No contracts"), std::string::npos);
}

TEST(HtmlMail, PicturesAndLinksCountWhereANoteIsAllTheText) {
  const std::string mail =
      "<html><body><center><table><tr><td><a href=\"http://shop.example/go?id=1\"><img "
      "src='http://shop.example/sale_01.gif' "
      "width=300></a></td><td><img alt=\"Half price\" src=http://shop.example/sale_02.gif></td></tr></table>"
      "<img src='cid:part1'><a href='javascript:x()'><p>To be removed click <a href='mailto:off@shop.example'>here</a>";
  EXPECT_EQ(read_text(mail),
            "To be removed click here\nhttp://shop.example/go?id=1\nhttp://shop.example/sale_01.gif\nHalf price\n"
            "http://shop.example/sale_02.gif\nmailto:off@shop.example\n");
  EXPECT_EQ(read_text(mail + "<script>more()</script>"), "To be removed click here\n")
      << "what scripts show is not known, and all pages of a site may share the rest";
  EXPECT_EQ(read_text("<div class=content>" + mail + "</div>"), "To be removed click here\n") << "a site's page";
}

TEST(HtmlMail, ARuleBeforeThePageMakesNoText) {
  EXPECT_TRUE(looks_like_html("<hr>\n<html>\n<body>\nWords\n\nMore words after a blank line\n"));
  EXPECT_TRUE(looks_like_html("<br><font size=2><!-- x --><!DOCTYPE html>\n\nwords\n\nwords\n"));
  EXPECT_FALSE(looks_like_html("<br>\nWords, and further on <html>\n\nmore words\n"));
}

}  // namespace
}  // namespace neardup::text
