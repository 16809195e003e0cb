#include "neardup/base/trim.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

TEST(Trim, TakesBlanksFromBothEnds) {
  EXPECT_EQ(trim_blanks(""), "");
  EXPECT_EQ(trim_blanks(" \t "), "");
  EXPECT_EQ(trim_blanks("a"), "a");
  EXPECT_EQ(trim_blanks("\t a b \t"), "a b");
  EXPECT_EQ(trim_blanks("a\r"), "a\r");
  EXPECT_EQ(trim_blanks("\t a\r ", " \r"), "\t a");
  const std::string_view text = "  \n ";
  EXPECT_EQ(trim_blanks(text).data(), text.data() + 2) << "a view of the text";
}

}  // namespace
}  // namespace neardup
