#include "neardup/recipe/turning_marks.h"

#include <gtest/gtest.h>

#include <string_view>

#include "neardup/recipe/fingerprinter.h"
#include "neardup/token/short_text.h"

namespace neardup::recipe {
namespace {

uint32_t marks_of(std::string_view text) {
  Recipe recipe = *find_recipe("default");
  recipe.family = Family::kMinHash;
  auto fingerprinter = Fingerprinter::create(recipe, nullptr);
  EXPECT_TRUE(fingerprinter);
  TextFingerprint text_fingerprint;
  fingerprinter->fingerprint(text, text_fingerprint);
  return token::read_short_text(text_fingerprint.short_text).marks;
}

TEST(TurningMarks, SignsThatSaySomething) {
  for (const auto& [a, b] : {std::pair("in C", "in C++"),
                             {"in C", "in C#"},
                             {"in C#", "in C++"},
                             {"it is -5 now", "it is 5 now"},
                             {"+5 points", "-5 points"},
                             {"5%", "5"},
                             {"5%", "5‰"},
                             {"$5", "€5"},
                             {"$5", "5"},
                             {"-$5", "$5"},
                             {"x < 5", "x > 5"},
                             {"2 + 2", "2 - 2"},
                             {"S20+ phone", "S20 phone"},
                             {"18+", "18"},
                             {"5 °C at −5", "5 °C at 5"}})
    EXPECT_NE(marks_of(a), marks_of(b)) << a << ", " << b;
}

TEST(TurningMarks, PunctuationSaysNothing) {
  for (const auto& [a, b] : {std::pair("free now", "free now!!"),
                             {"covid-19", "covid 19"},
                             {"2023-24", "2023/24"},
                             {"5 %", "5%"},
                             {"a - b", "a | b"},
                             {"#python is", "python is"},
                             {"> quoted", "quoted"},
                             {"** 5", "5"},
                             {"-- 5", "5"},
                             {"page 1 - 5", "page 1-5"},
                             {"1920×1080", "1920x1080"},
                             {"5", "٥"},
                             {"12٪", "12%"},
                             {"＋5", "+5"}})
    EXPECT_EQ(marks_of(a), marks_of(b)) << a << ", " << b;
}

TEST(TurningMarks, NegationsAndRomanNumerals) {
  for (const auto& [a, b] : {std::pair("it is safe", "it is not safe"),
                             {"you can go", "you can't go"},
                             {"es ist gut", "es ist nicht gut"},
                             {"il est là", "il n'est pas là"},
                             {"él va", "él no va"},
                             {"ele vai", "ele não vai"},
                             {"jeść", "nie jeść"},
                             {"он идёт", "он не идёт"},
                             {"通过法律", "未通过法律"},
                             {"zorunlu", "zorunlu değil"},
                             {"نعم هنا", "لا هنا"},
                             {"Rocky", "Rocky II"},
                             {"war I", "war II"},
                             {"Louis XIV", "Louis XVI"},
                             {"είναι", "δεν είναι"}})
    EXPECT_NE(marks_of(a), marks_of(b)) << a << ", " << b;
  EXPECT_EQ(marks_of("not now"), marks_of("now not"));
  EXPECT_EQ(turning_word("mix"), 0U);
  EXPECT_EQ(turning_word("xxxx"), 0U);
  EXPECT_EQ(turning_word("iiii"), 0U);
  EXPECT_EQ(turning_word("i"), 0U);
  EXPECT_NE(turning_word("xxxix"), 0U);
}

TEST(TurningMarks, Pictures) {
  EXPECT_EQ(hash_pictures("fine © 2024 ®"), 0U);
  EXPECT_NE(hash_pictures("fine 😀"), 0U);
  EXPECT_NE(hash_pictures(std::string_view("a \0 😀", 8)), 0U);
  EXPECT_NE(hash_pictures("fine 😀"), hash_pictures("fine 😡"));
  EXPECT_NE(hash_pictures("🇫🇷"), hash_pictures("🇩🇪"));
  EXPECT_EQ(hash_pictures("😀 fine 😀 👍"), hash_pictures("👍😀"));
  EXPECT_NE(hash_pictures("fine :-)"), hash_pictures("fine :("));
  EXPECT_EQ(hash_pictures("fine :-)"), hash_pictures(":)"));
}

}  // namespace
}  // namespace neardup::recipe
