#include "neardup/token/code_class.h"

#include <gtest/gtest.h>

#include "neardup/token/numbers.h"

namespace neardup::token {
namespace {

TEST(CodeClass, IsToldByTheToken) {
  for (const char* sign : {"+", "{", "'", "\"", "if", "class", "def", "int", "yield", "False"})
    EXPECT_EQ(code_class(sign), CodeClass::kSign) << sign;
  for (const char* word : {"", "~", "zzz", "\x7f", "if ", "I"}) EXPECT_FALSE(is_reserved(word)) << word;
  for (const char* name : {"iff", "Class", "x", "_if", "println", "é", "中"})
    EXPECT_EQ(code_class(name), CodeClass::kName) << name;
  for (const char* number : {"0", "1.5e3", "0x1F"}) EXPECT_EQ(code_class(number), CodeClass::kNumber) << number;
  for (const char* string : {"''", "'a'", "\"if\"", "\"\"\"a\nb\"\"\""})
    EXPECT_EQ(code_class(string), CodeClass::kString) << string;
}

TEST(CodeClass, BlindedTokensOfAClassAreOneAndSignsStay) {
  const auto marked = [](uint64_t hash, CodeClass kind) { return marked_code_hash(hash, kind); };
  for (const CodeClass kind : {CodeClass::kNumber, CodeClass::kName, CodeClass::kString}) {
    EXPECT_NE(marked(0x1234567812345678, kind), marked(0x1234567800005678, kind));
    EXPECT_EQ(blinded(marked(0x1234567812345678, kind)), blinded(marked(7, kind)));
  }
  EXPECT_NE(blinded(marked(8, CodeClass::kName)), blinded(marked(8, CodeClass::kNumber)));
  EXPECT_NE(blinded(marked(8, CodeClass::kName)), blinded(marked(8, CodeClass::kString)));
  EXPECT_EQ(blinded(marked(8, CodeClass::kSign)), 8U);
}

TEST(CodeClass, NumbersAreMarkedAsInOtherTexts) {
  EXPECT_TRUE(is_marked_number(marked_code_hash(0, CodeClass::kNumber)));
  for (const CodeClass kind : {CodeClass::kSign, CodeClass::kName, CodeClass::kString})
    EXPECT_FALSE(is_marked_number(marked_code_hash(~uint64_t{0}, kind)));
}

}  // namespace
}  // namespace neardup::token
