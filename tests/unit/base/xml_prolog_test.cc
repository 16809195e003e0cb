#include "neardup/base/xml_prolog.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

TEST(XmlProlog, IsPassedOverUpToTheFirstElement) {
  EXPECT_EQ(without_xml_prolog(""), "");
  EXPECT_EQ(without_xml_prolog("<a>"), "<a>");
  EXPECT_EQ(without_xml_prolog(" \r\n<?xml version='1.0'?>\n<?xml-stylesheet href='a'?><!-- <b> --> <a>"), "<a>");
  EXPECT_EQ(without_xml_prolog("<![if !IE]> <a>"), "<a>");
  EXPECT_EQ(without_xml_prolog("<?php echo 1 ?><a>"), "<?php echo 1 ?><a>") << "source code";
  EXPECT_EQ(without_xml_prolog("<!DOCTYPE svg><svg>"), "<!DOCTYPE svg><svg>");
}

TEST(XmlProlog, IsAllOfATextWhoseCommentDoesNotEnd) {
  EXPECT_EQ(without_xml_prolog("<!-- <a>"), "");
  EXPECT_EQ(without_xml_prolog("<?xml <a>"), "");
  EXPECT_EQ(without_xml_prolog("<!--><a>-->b"), "<a>-->b") << "an empty comment, as browsers read it";
}

TEST(RemoveThrough, TakesTheEndAway) {
  std::string_view text = "a-->b";
  remove_through(text, "-->");
  EXPECT_EQ(text, "b");
  remove_through(text, "-->");
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace neardup
