#include "neardup/corpus/find/encoding.h"

#include "neardup/corpus/field_names.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

TEST(Encoding, ByteOrderMarks) {
  EXPECT_TRUE(has_wide_mark("\xFF\xFEh\0"sv));
  EXPECT_TRUE(has_wide_mark("\0\0\xFE\xFF"sv));
  EXPECT_FALSE(has_wide_mark("\xEF\xBB\xBF text"sv));
  EXPECT_FALSE(has_wide_mark(""));
}

TEST(Encoding, NulBytes) {
  EXPECT_NE(why_no_text("a\0b\0"sv, true), "");
  const std::string text = std::string(200, 'a') + '\0';
  EXPECT_EQ(why_no_text(text, true), "");
  EXPECT_NE(why_no_text(text, false), "");
  std::string noise(1000, '\xC3');  // never a character
  EXPECT_EQ(why_no_text(noise, true), "");
  noise[500] = '\0';
  EXPECT_NE(why_no_text(noise, true), "");
  EXPECT_EQ(why_no_text("text", false), "");
}

TEST(Encoding, WideTextsAreToldByTheirMarkOrTheirLetters) {
  EXPECT_TRUE(is_wide("\xFF\xFEh\0"sv));
  EXPECT_TRUE(is_wide("t\0w\0o\0 \0w\0o\0r\0d\0s\0\n\0"sv));
  EXPECT_TRUE(is_wide("\0t\0w\0o\0 \0w\0o\0r\0d\0s\0\n"sv));
  EXPECT_TRUE(is_wide("\xFF\xFE\0\0h\0\0\0"sv));
  EXPECT_TRUE(is_wide("t\0\0\0w\0\0\0o\0\0\0 \0\0\0w\0\0\0"sv));
  EXPECT_TRUE(is_wide("\0\0\0t\0\0\0w\0\0\0o\0\0\0 \0\0\0w"sv));
  std::string numbers;  // of 16 bits, as samples of sound are
  for (int i = 0; i < 400; ++i) numbers += {static_cast<char>(i * 37), static_cast<char>(i % 5 - 2)};
  EXPECT_FALSE(is_wide(numbers));
  std::string whole;  // of 32 bits
  for (int i = 0; i < 400; ++i) whole += {static_cast<char>(i * 37), static_cast<char>(i % 5), '\0', '\0'};
  EXPECT_FALSE(is_wide(whole));
  EXPECT_FALSE(is_wide("plain text of an even number of bytes."));
  EXPECT_NE(why_no_text("t\0\0\0w\0\0\0"sv, true).find("UTF-32"), std::string::npos);
}

TEST(Encoding, ShareOfInvalidBytes) {
  EXPECT_TRUE(is_hardly_utf8("\xD6\xD0\xB9\xFA"));  // GBK
  EXPECT_FALSE(is_hardly_utf8("\xE4\xB8\xAD\xE5\x9B\xBD"));
  EXPECT_FALSE(is_hardly_utf8(std::string(99, 'a') + "\xFF"));
  EXPECT_TRUE(is_hardly_utf8(std::string(98, 'a') + "\xFF"));
  EXPECT_FALSE(is_hardly_utf8(""));
}

TEST(Encoding, LinesInUtf16AreRefusedAtOnce) {
  const TempFolder folder;
  const std::string path = folder.write("a.jsonl", "\xFF\xFE{\0"sv);
  const auto inputs = discover(std::vector{path}, {});
  ASSERT_FALSE(inputs);
  EXPECT_EQ(inputs.error().code, Code::kUnsupported);
  EXPECT_NE(inputs.error().message.find("iconv -f UTF-16"), std::string::npos);
}

std::string in_units_of(size_t size, std::string_view ascii) {
  std::string wide;
  for (const char c : ascii) wide += c + std::string(size - 1, '\0');
  return wide;
}

TEST(Encoding, WhatIsAsciiInWideTexts) {
  EXPECT_EQ(narrow("plain \0 text"s), "plain \0 text"s);
  EXPECT_EQ(narrow("\xFF\xFE" + in_units_of(2, "ab") + "\x2D\x4E"), "ab?");
  EXPECT_EQ(narrow(in_units_of(4, "{\"a\": 1}\n")), "{\"a\": 1}\n");
}

TEST(Encoding, WideRecordsAreRefusedUnderAnyName) {
  const TempFolder folder;
  const std::string rows = "{\"text\": \"one\"}\n{\"text\": \"two\"}\n", table = "id,text\n1,one two three\n";
  for (const size_t size : {2, 4})
    for (const std::string& mark : {""s, size == 2 ? "\xFF\xFE"s : "\xFF\xFE\0\0"s})
      for (const auto& [name, bytes] : {std::pair("a.jsonl", rows), {"part-0", rows}, {"b.csv", table}}) {
        const std::string path = folder.write(name, mark + in_units_of(size, bytes));
        const auto inputs = discover(std::vector{path}, {});
        ASSERT_FALSE(inputs) << name << size << mark.size();
        EXPECT_NE(inputs.error().message.find("iconv -f UTF-" + std::to_string(size * 8)), std::string::npos);
      }
  const auto found = discover(std::vector{folder.path()}, {});
  ASSERT_TRUE(found) << "one in a folder stops nothing";
  for (const Input& input : *found) EXPECT_NE(input.fault.find("iconv"), std::string::npos) << input.name;
}

TEST(FieldNames, OfTheObjectItself) {
  EXPECT_EQ(list_field_names(R"({"id": "a:\"b", "meta": {"x": [{"y": 1}], "z": 2}, "body": null})"),
            "'id', 'meta', 'body'");
  EXPECT_EQ(list_field_names("{}"), "no fields");
  EXPECT_EQ(list_field_names(""), "no fields");
  EXPECT_EQ(list_field_names("[1,2]"), "no fields");
}

TEST(FieldNames, ManyAndCut) {
  EXPECT_EQ(list_field_names(R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1})"),
            "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', ...");
  EXPECT_EQ(list_field_names(R"({"a": "long text that is cut)"), "'a'");
  EXPECT_EQ(list_field_names(R"({"a": 1, "cut)"), "'a'");
  EXPECT_EQ(list_field_names("{\"a\\"), "no fields");
}

}  // namespace
}  // namespace neardup::corpus
