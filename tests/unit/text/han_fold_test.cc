#include "neardup/text/han_fold.h"

#include <gtest/gtest.h>

namespace neardup::text {
namespace {

TEST(HanFold, FoldsOnceAndForAll) {
  int num_changed = 0;
  for (char32_t c = 0; c < 0x30000; ++c) {
    if ((c & 0xFFFFF800) == 0xD800) continue;
    const char32_t folded = fold_han(c);
    ASSERT_EQ(fold_han(folded), folded) << std::hex << static_cast<uint32_t>(c);
    num_changed += folded != c ? 1 : 0;
  }
  EXPECT_GT(num_changed, 4000);
}

TEST(HanFold, FollowsOpenCcThenIcu) {
  EXPECT_EQ(fold_han(U'勣'), U'𪟝');  // OpenCC alone
  EXPECT_EQ(fold_han(U'嫺'), U'娴');
  EXPECT_EQ(fold_han(U'鉅'), U'巨');  // ICU says U+94A8
  EXPECT_EQ(fold_han(U'著'), U'着');  // ICU alone
  EXPECT_EQ(fold_han(U'籐'), U'藤');
}

TEST(HanFold, LeavesEverythingElse) {
  EXPECT_EQ(fold_han(U'漢'), U'汉');
  EXPECT_EQ(fold_han(U'汉'), U'汉');
  for (const char32_t c : {U'a', U'「', U'カ', U'한', U'😀', U'\U00020000'}) EXPECT_EQ(fold_han(c), c);
}

}  // namespace
}  // namespace neardup::text
