#include "neardup/text/letters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "neardup/text/normalizer.h"

namespace neardup::text {
namespace {

std::string folded(std::string_view text) {
  std::string out;
  Normalizer({.normalization = Normalization::kFolded}).normalize(text, out);
  return out;
}

TEST(Letters, AccentsOfLatinAndGreekAreGone) {
  EXPECT_EQ(folded("École naïve, garçon, Ångström, Zażółć, Łódź, ő"), "ecole naive, garcon, angstrom, zazolc, lodz, o");
  EXPECT_EQ(folded("Việt Nam: phở và đường"), "viet nam: pho va duong");
  EXPECT_EQ(folded("hòa hoà"), "hoa hoa");
  EXPECT_EQ(folded("İstanbul ışık"), "istanbul isik");
  EXPECT_EQ(folded("Æsir, œuvre, þing, smørrebrød, Straße"), "aesir, oeuvre, thing, smorrebrod, strasse");
  EXPECT_EQ(folded("Ελλάδα ΐ Ἀθῆναι ᾍδης Σοφός"), "ελλαδα ι αθηναι αιδησ σοφοσ");
}

TEST(Letters, DecomposedTextsFoldLikeComposedOnes) {
  EXPECT_EQ(folded("E\u0301cole, Vie\u0323\u0302t, Ε\u0301"), "ecole, viet, ε");
  EXPECT_EQ(folded("q\u0307\u0323x\u0302"), "qx");
}

TEST(Letters, OfCyrillicOnlyWhatIsOftenLeftOut) {
  EXPECT_EQ(folded("Ёлка, за\u0301мок, ѝ"), "елка, замок, и");
  EXPECT_EQ(folded("й ї ґ ў ќ ѓ ћ ӑ"), "й ї ґ ў ќ ѓ ћ ӑ") << "letters of their own";
  EXPECT_EQ(folded("и\u0306"), "й");
}

TEST(Letters, ArabicAndPersianFormsAreOne) {
  EXPECT_EQ(folded("ی ى ي"), "ي ي ي");
  EXPECT_EQ(folded("ک ك ڪ"), "ك ك ك");
  EXPECT_EQ(folded("أ إ آ ٱ ا"), "ا ا ا ا ا");
  EXPECT_EQ(folded("ا\u0653 ا\u0654"), "ا ا") << "decomposed";
  EXPECT_EQ(folded("مدرسة"), "مدرسه");
  EXPECT_EQ(folded("السَّلامُ عَلَيْكُمْ"), "السلام عليكم");
  EXPECT_EQ(folded("مـحـمـد"), "محمد");
  EXPECT_EQ(folded("۱۲۳ ١٢٣"), "123 123");
  EXPECT_EQ(folded("مسؤول رئيس"), "مسوول رييس");
}

TEST(Letters, HebrewPointsAreGone) { EXPECT_EQ(folded("שָׁלוֹם"), "שלום"); }

TEST(Letters, OthersStay) {
  for (const char* text : {"हिन्दी को", "தமிழ்", "น\u0e49\u0e4dา", "日本語です", "がぎ", "한국어", "ق گ چ پ ژ ے ھ ء",
                           "〇一二", "ა ბ", "ա բ"}) {
    EXPECT_EQ(folded(text), text);
  }
}

// Letters that tell words apart, and that no reader takes for one.
TEST(Letters, NoTwoLettersOfOneAlphabetBecomeOne) {
  for (const char* alphabet : {"abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюя",
                               "αβγδεζηθικλμνξοπρστυφχψω", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
                               "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی", "אבגדהוזחטיכלמנסעפצקרשתךםןףץ", "ґєії", "ђјљњћџ"}) {
    const std::string out = folded(alphabet);
    std::vector<std::string> letters;
    for (size_t at = 0; at < out.size(); at += 1) {
      if ((static_cast<uint8_t>(out[at]) & 0xC0) != 0x80) letters.emplace_back();
      letters.back() += out[at];
    }
    std::sort(letters.begin(), letters.end());
    EXPECT_EQ(std::adjacent_find(letters.begin(), letters.end()), letters.end()) << alphabet;
  }
}

TEST(Letters, FoldingAgainChangesNothing) {
  for (char32_t c = 0; c < 0x20000; ++c) {
    if ((c & 0xFFFFF800) == 0xD800) continue;
    const FoldedLetter once = fold_letter(c);
    ASSERT_LE(once.size_bytes, 4U);
    if (once.size_bytes == 0) continue;
    const std::string utf8(reinterpret_cast<const char*>(&once.bytes), once.size_bytes);
    ASSERT_EQ(folded(folded(utf8)), folded(utf8)) << static_cast<uint32_t>(c);
  }
}

TEST(Letters, WhatADroppedCharacterStoodBetweenComposes) {
  EXPECT_EQ(folded("\u1100\u0640\u1161\u11A8"), "각");
  EXPECT_EQ(folded("\u1100\u064B\u1161"), "가");
}

}  // namespace
}  // namespace neardup::text
