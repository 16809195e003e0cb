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
                             {"школами", "шкодами"},
                             {"separate", "seperate"},
                             {"government", "goverment"},
                             {"install", "instal"},
                             {"editar", "edita"},
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
                             {"mouse", "moose"},
                             {"country", "county"},
                             {"libmed", "libmedc"},
                             {"telnet", "telnetd"},
                             {"plan", "plane"},
                             {"школа", "шкода"},
                             {"legal", "illegal"}})
    expect_one(a, b, false);
}

void expect_others(std::string_view a, std::string_view b, bool expected) {
  EXPECT_EQ(are_other_words(a, b), expected) << a << "/ " << b;
  EXPECT_EQ(are_other_words(b, a), expected) << b << "/ " << a;
}

TEST(ExchangedWords, OfWholeTexts) {
  for (const auto& [a, b] : {std::pair("a web site ", "a website "),
                             {"the comittee meets ", "committee meets "},
                             {"python 3 api ", "python3 api "},
                             {"", ""},
                             {"s ", ""}})
    expect_others(a, b, false);
  for (const auto& [a, b] : {std::pair("stocks fall ", "breaking stocks fall "),
                             {"library ", "library documentation "},
                             {"finnish english dictionary ", "english finnish dictionary "},
                             {"b a ", "a b "},
                             {"the comittee ", "the committee today "},
                             {"stocks rise today ", "stocks fall "},
                             {"model s ", "model x "},
                             {"type library for mouse ", "type library for moose "},
                             {"hepatitis a ", "hepatitis the "},
                             {"very very good ", "very good day "}})
    expect_others(a, b, true);
}

TEST(ExchangedWords, CharactersOfScriptsWithoutSpaces) {
  const std::string rates = "美 联 储 维 持 0 0 25 利 率 区 间 不 变 ",
                    more = "美 联 储 维 持 0 0 25 基 准 利 率 区 间 不 变 ";
  expect_others(rates, more, false);
  expect_others(rates, "美 联 储 维 持 0 0 25 原 本 利 率 区 间 不 变 ", true);  // a character that turns
  expect_others(rates, "美 联 储 维 持 0 0 25 基 准 线 利 率 区 间 不 变 ", true);
  expect_others("利 率 不 变 ", "基 准 利 率 不 变 ", true);  // too much of so short a text
  for (const auto& [a, b] : {std::pair("成 功 连 任 ", "宣 誓 就 任 "),
                             {"上 调 ", "下 调 "},
                             {"閉 鎖 す る と 発 表 ", "閉 鎖 し な い と 発 表 "},
                             {"폐 쇄 한 다 ", "폐 쇄 하 지 않 는 다 "},
                             {"จ ะ ปิ ด ", "จ ะ ไ ม่ ปิ ด "}})
    expect_others(a, b, true);
}

TEST(ExchangedWords, WithTooManyTheyAreOthers) {
  std::string words;
  for (int i = 0; i < 1030; ++i) words += "words" + std::to_string(i) + " ";
  expect_others("water " + words + "wader ", "waters " + words + "waders ", true);
  expect_others(words + "wader ", words + "waders ", false);
}

}  // namespace
}  // namespace neardup::verify
