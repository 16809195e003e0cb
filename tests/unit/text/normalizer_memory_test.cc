// What a normaliser keeps of a long text.
#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

#include "neardup/text/normalizer.h"

namespace neardup::text {
namespace {

size_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void normalize(Normalizer& normalizer, const std::string& text) {
  std::string out;
  normalizer.normalize(text, out);
}

TEST(NormalizerMemory, NothingOfALongTextIsKept) {
  Normalizer normalizer({.normalization = Normalization::kFolded});
  // References, UTF-8 read as windows-1252, words of two scripts: whatever needs a copy of the text.
  for (const std::string piece :
       {"&eacute;t&#233; ", "don\u00e2\u20ac\u2122t Caf\u00c3\u00a9 ", "&amp; Caf\u00c3\u00a9 ", "p\u0430ypal "}) {
    std::string text;
    while (text.size() < size_t{8} << 20) text += piece;
    normalize(normalizer, piece);  // tables are made once
    const size_t before = bytes_in_use();
    normalize(normalizer, text);
    EXPECT_LT(bytes_in_use(), before + (size_t{1} << 20)) << piece;
  }
}

}  // namespace
}  // namespace neardup::text
