#include "neardup/recipe/token_signs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "neardup/recipe/fingerprinter.h"
#include "neardup/token/numbers.h"

namespace neardup::recipe {
namespace {

TextFingerprint marked(const std::string& text) {
  Recipe recipe = *find_recipe("default");
  recipe.family = Family::kMinHash;
  recipe.mark_numbers = true;
  auto fingerprinter = Fingerprinter::create(recipe, nullptr);
  EXPECT_TRUE(fingerprinter);
  TextFingerprint text_fingerprint;
  fingerprinter->fingerprint(text, text_fingerprint);
  return text_fingerprint;
}

std::string long_text(const std::string& part) {
  return "One two three four five six seven eight nine " + part +
         " ten eleven twelve thirteen fourteen fifteen sixteen";
}

TEST(TokenSigns, TellLongTextsApartThatDifferInThemAlone) {
  for (const auto& [a, b] : {std::pair("it is -5 now", "it is 5 now"),
                             {"in C", "in C++"},
                             {"in C#", "in C++"},
                             {"a < b", "a > b"},
                             {"a ≤ b", "a ≥ b"},
                             {"under <5 of", "under >5 of"},
                             {"$5 more", "€5 more"},
                             {"5 € more", "5 £ more"},
                             {"5% more", "5‰ more"},
                             {"up ↑5 points", "up ↓5 points"},
                             {"Ca²⁺ ions", "Ca²⁻ ions"},
                             {"价格+5元", "价格-5元"}}) {
    const TextFingerprint in_a = marked(long_text(a)), in_b = marked(long_text(b));
    ASSERT_EQ(in_a.tokens.size(), in_b.tokens.size()) << a;
    EXPECT_NE(in_a.tokens, in_b.tokens) << a << ", " << b;
    EXPECT_EQ(in_a.signature, in_b.signature) << a << ", " << b << ": candidates stay";
  }
}

TEST(TokenSigns, PunctuationIsNone) {
  for (const auto& [a, b] : {std::pair("so it is.", "so, it is!"),
                             {"(5) of", "5 of"},
                             {"5 % of", "5% of"},
                             {"5 € of", "5€ of"},
                             {"> quoted", "quoted"},
                             {"covid-19 is", "covid 19 is"},
                             {"#tag of", "tag of"},
                             {"a -> b", "a - b"}})
    EXPECT_EQ(marked(long_text(a)).tokens, marked(long_text(b)).tokens) << a << ", " << b;
}

TEST(TokenSigns, NumbersStayNumbersAndOnlyTheWordBesideChanges) {
  const std::vector<uint32_t> with = marked(long_text("it is -5 now")).tokens;
  const std::vector<uint32_t> without = marked(long_text("it is 5 now")).tokens;
  EXPECT_EQ(std::ranges::count_if(with, token::is_marked_number), 1);
  size_t num_changed = 0;
  for (size_t i = 0; i < with.size(); ++i) num_changed += with[i] != without[i] ? 1 : 0;
  EXPECT_EQ(num_changed, 1U);
  EXPECT_NE(marked("-5").tokens, marked("5").tokens) << "at the beginning";
  EXPECT_NE(marked("c++").tokens, marked("c").tokens) << "at the end";
  EXPECT_TRUE(marked("++").tokens.empty());
}

}  // namespace
}  // namespace neardup::recipe
