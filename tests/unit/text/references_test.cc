#include "neardup/text/references.h"

#include <gtest/gtest.h>

namespace neardup::text {
namespace {

std::string replaced(std::string_view text) {
  std::string out = "untouched";
  return replace_references(text, out) ? out : std::string(text) + (out == "untouched" ? "" : " (touched)");
}

TEST(References, NumbersOfEveryScript) {
  EXPECT_EQ(replaced("&#48372;&#xBCF4; &#X41f; &#1055;&#228;"), "보보 П Пä");
  EXPECT_EQ(replaced("&#0000233;"), "é");
  EXPECT_EQ(replaced("&#128512;"), "😀");
}

TEST(References, NumbersOfCodePage1252AndNoCharacters) {
  EXPECT_EQ(replaced("&#146;&#150;"), "’–");
  EXPECT_EQ(replaced("&#0;&#xD800;&#x110000;&#99999999999;"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(References, Names) {
  EXPECT_EQ(replaced("Caf&eacute; &Eacute;cole"), "Café École");
  EXPECT_EQ(replaced("Tom &amp; Jerry&apos;s &lt;b&gt; &quot;x&quot;&nbsp;y"), "Tom & Jerry's <b> \"x\"\u00A0y");
  EXPECT_EQ(replaced("&Zcaron;&lstrok;&Acy;&alpha;&copy;"), "ŽłАα©");
  EXPECT_EQ(named_character("AElig"), U'Æ');
  EXPECT_EQ(named_character("zwnj"), U'\u200C');
  EXPECT_EQ(named_character(""), U'\0');
}

TEST(References, EscapedTwice) {
  EXPECT_EQ(replaced("&amp;eacute; &amp;amp;#233; &amp;amp;"), "é é &");
  EXPECT_EQ(replaced("R&amp;D &amp;unknown;"), "R&D &unknown;");
}

TEST(References, WhatIsNoneStays) {
  for (const char* text :
       {"", "AT&T", "a && b", "&", "&;", "&#;", "&#x;", "&#12a;", "&eacute", "&eacute x;", "&unknown;", "?a=1&copy=2;",
        "&abcdefghijklmnopqrstuvwxyz;", "&#00000000000000000000000000233;"}) {
    EXPECT_EQ(replaced(text), text);
  }
}

TEST(References, AddressesOfVariablesStay) {
  for (const char* text : {"p = &image;", "return &sum;", "f(&copy;", "x=&int;", "a, &prod;", "*&para;"})
    EXPECT_EQ(replaced(text), text);
  EXPECT_EQ(replaced("(&eacute;t&eacute;)"), "(été)") << "letters are hardly variables";
  EXPECT_EQ(replaced("2020 &copy; X"), "2020 © X");
}

TEST(References, LongTextsTakeLinearTime) {
  std::string text;
  while (text.size() < 1 << 20) text += "&amp;";
  EXPECT_EQ(replaced(text).size(), text.size() / 5);
  std::string nested = "&";
  while (nested.size() < 1 << 20) nested += "amp;";
  EXPECT_EQ(replaced(nested), "&");
  EXPECT_EQ(replaced(std::string(1 << 20, '&')), std::string(1 << 20, '&'));
}

}  // namespace
}  // namespace neardup::text
