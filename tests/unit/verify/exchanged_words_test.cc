#include "neardup/verify/exchanged_words.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace neardup::verify {
namespace {

void expect_one(std::string_view a, std::string_view b, bool expected) {
  EXPECT_EQ(may_be_one_word(a, b), expected) << a << ", " << b;
  EXPECT_EQ(may_be_one_word(b, a), expected) << b << ", " << a;
}

TEST(ExchangedWords, SlipsOfLongerWords) {
  for (const auto& [a, b] : {std::pair("committee", "comittee"),
                             {"receive", "recieve"},
                             {"organise", "organize"},
                             {"школа", "шкода"},
                             {"install", "instal"},
                             {"town", "towns"},
                             {"word", "word"}})
    expect_one(a, b, true);
}

TEST(ExchangedWords, OtherWords) {
  for (const auto& [a, b] : {std::pair("increase", "decrease"),
                             {"hypertension", "hypotension"},
                             {"iran", "iraq"},
                             {"now", "not"},
                             {"on", "off"},
                             {"no", "not"},
                             {"with", "without"},
                             {"c", "d"},
                             {"", "i"},
                             {"symmetric", "asymmetric"},
                             {"男", "女"},
                             {"java", "python"},
                             {"legal", "illegal"}})
    expect_one(a, b, false);
}

TEST(ExchangedWords, OfWholeTexts) {
  EXPECT_FALSE(are_other_words("stocks fall ", "breaking stocks fall ")) << "only one has more";
  EXPECT_FALSE(are_other_words("a web site ", "a website ")) << "spaces";
  EXPECT_FALSE(are_other_words("b a ", "a b ")) << "order";
  EXPECT_FALSE(are_other_words("the comittee ", "the committee today "));
  EXPECT_TRUE(are_other_words("stocks rise today ", "stocks fall "));
  EXPECT_TRUE(are_other_words("model s ", "model x "));
  EXPECT_TRUE(are_other_words("very very good ", "very good day ")) << "each as often as it stands there";
  EXPECT_FALSE(are_other_words("", ""));
}

TEST(ExchangedWords, WithTooManyTheyAreOthers) {
  std::string a, b;
  for (int i = 0; i < 65; ++i) a += "words" + std::string(1, static_cast<char>('a' + i % 26)) + std::to_string(i) + " ";
  b = a;
  for (size_t at = 0; (at = b.find("words", at)) != b.npos; at += 4) b.replace(at, 5, "wods");
  EXPECT_TRUE(are_other_words(a, b));
}

}  // namespace
}  // namespace neardup::verify
