#include "neardup/text/heading.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup::text {
namespace {

std::string heading_of(const std::string& text) { return text.substr(0, heading_bytes(text)); }

TEST(Heading, IsTheMarkedOrUnderlinedFirstLine) {
  EXPECT_EQ(heading_of("# Ferries\nThey leave late."), "# Ferries\n");
  EXPECT_EQ(heading_of("\n \n# Ferries\r\nThey"), "\n \n# Ferries\r\n");
  EXPECT_EQ(heading_of("Ferries\n=======\nThey leave late."), "Ferries\n=======\n");
  EXPECT_EQ(heading_of("=======\nFerries\n=======\n\nThey"), "=======\nFerries\n=======\n");
  EXPECT_EQ(heading_of("Паромы\n------ \nOни"), "Паромы\n------ \n");
  EXPECT_EQ(heading_of("# Ferries"), "# Ferries") << "and nothing else";
}

TEST(Heading, OtherBeginningsAreNone) {
  for (const char* text : {"", "\n", "Ferries\nThey leave late.", "## Ferries\nThey", "#Ferries\nThey", "# \nThey",
                           "Ferries\n--\nThey", "Ferries\n-----x\nThey", "-----\n-----\n-----\n",
                           "Ferries\n\n=======\n", "# 渡轮晚点\n他们", "渡轮晚点\n====\n"})
    EXPECT_EQ(heading_bytes(text), 0U) << text;
  EXPECT_EQ(heading_bytes("# " + std::string(600, 'x') + "\nThey"), 0U) << "a paragraph";
}

TEST(Heading, OfAManualIsItsNameAndTheHeadingBelow) {
  EXPECT_EQ(manual_heading_bytes("FERRY 1 \nNAME\nferry - leaves late\n"), 14U);
  EXPECT_EQ(manual_heading_bytes("FERRY 1"), 7U);
  EXPECT_EQ(manual_heading_bytes(""), 0U);
}

}  // namespace
}  // namespace neardup::text
