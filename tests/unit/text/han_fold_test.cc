#include "neardup/text/han_fold.h"

#include <gtest/gtest.h>

#include "neardup/text/normalizer.h"
#include "neardup/text/utf8.h"

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

TEST(HanFold, InPlaceAndTheRestBeforeIsAll) {
  std::string some, all;
  const std::string text = "著名 俱乐部 漢語 勣 abc é";
  Normalizer({.fold_han = true, .han_in_place = true}).normalize(text, some);
  EXPECT_EQ(some, "著名 俱乐部 漢語 𪟝 abc é") << "more bytes: at once";
  const HanFolded found = fold_han_in_place(some);
  Normalizer({.fold_han = true}).normalize(text, all);
  EXPECT_EQ(some, all);
  EXPECT_EQ(found.num_han, 7U);
  EXPECT_EQ(found.num_traditional, 2U) << "simplified texts write the others, too";
}

TEST(HanFold, InPlaceOfEveryCharacter) {
  Normalizer before({.fold_han = true, .han_in_place = true}), all({.fold_han = true});
  std::string text, folded;
  for (char32_t c = 0x80; c < 0x30000; ++c) {
    if ((c & 0xFFFFF800) == 0xD800) continue;
    uint32_t size_bytes = 0;
    const uint32_t bytes = encode(c, size_bytes);
    const std::string utf8(reinterpret_cast<const char*>(&bytes), size_bytes);
    before.normalize(utf8, text);
    fold_han_in_place(text);
    all.normalize(utf8, folded);
    ASSERT_EQ(text, folded) << utf8;
  }
}

TEST(HanFold, LeavesEverythingElse) {
  EXPECT_EQ(fold_han(U'漢'), U'汉');
  EXPECT_EQ(fold_han(U'汉'), U'汉');
  for (const char32_t c : {U'a', U'「', U'カ', U'한', U'😀', U'\U00020000'}) EXPECT_EQ(fold_han(c), c);
}

}  // namespace
}  // namespace neardup::text
