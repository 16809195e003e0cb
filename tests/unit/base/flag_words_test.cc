#include "neardup/base/flag_words.h"

#include <gtest/gtest.h>

namespace neardup {
namespace {

constexpr FlagWords kTable[] = {{"--keep-all", "keep_all"}, {"--keep", "keep"}, {"idf=", "idf"}, {"-o", "out"}};

TEST(FlagWords, TakeThePlaceOfFlags) {
  EXPECT_EQ(replace_flags("--keep max: give --keep-all, or -o DIR", kTable), "keep max: give keep_all, or out DIR");
  EXPECT_EQ(replace_flags("take --keep.", kTable), "take keep.");
  EXPECT_EQ(replace_flags("idf=FILE", kTable), "idfFILE");
}

TEST(FlagWords, LeaveWhatOnlyLooksLikeOne) {
  for (const char* message : {"", "--keeper", "my--keep", "a-o", "/tmp/--keep/x", "--keep_x", "--other", "-"})
    EXPECT_EQ(replace_flags(message, kTable), message);
}

}  // namespace
}  // namespace neardup
