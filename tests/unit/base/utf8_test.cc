#include "neardup/base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup {
namespace {

TEST(BaseUtf8, EachByteOfACharacterLeadsToItsFirst) {
  const std::string text = "aé图😀b";  // 1 + 2 + 3 + 4 + 1 bytes
  const size_t begins[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
  for (size_t at = 0; at < text.size(); ++at) EXPECT_EQ(character_begin(text, at), begins[at]) << at;
  EXPECT_EQ(character_begin(text, text.size()), text.size());
  EXPECT_EQ(character_begin(text, text.size() + 7), text.size());
  EXPECT_EQ(character_begin("", 0), 0u);
}

TEST(BaseUtf8, CutsBetweenCharacters) {
  EXPECT_EQ(cut_at_character("图书", 5), "图");
  EXPECT_EQ(cut_at_character("图书", 6), "图书");
  EXPECT_EQ(cut_at_character("图书", 600), "图书");
  EXPECT_EQ(cut_at_character("图", 0), "");
  EXPECT_EQ(cut_at_character("", 3), "");
}

TEST(BaseUtf8, BytesThatAreNotUtf8AreCutNearTheLimit) {
  const std::string bytes(100, '\x80');
  EXPECT_EQ(cut_at_character(bytes, 50).size(), 47u);
  EXPECT_EQ(character_begin(bytes, 2), 0u);
}

}  // namespace
}  // namespace neardup
