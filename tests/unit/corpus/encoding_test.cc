#include "neardup/corpus/find/encoding.h"

#include "neardup/corpus/field_names.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

using namespace std::string_view_literals;

TEST(Encoding, ByteOrderMarks) {
  EXPECT_EQ(foreign_byte_order_mark("\xFF\xFE"
                                    "a\0"sv),
            "UTF-16");
  EXPECT_EQ(foreign_byte_order_mark("\xFE\xFF\0a"sv), "UTF-16");
  EXPECT_EQ(foreign_byte_order_mark("\xFF\xFE\0\0a\0\0\0"sv), "UTF-32");
  EXPECT_EQ(foreign_byte_order_mark("\0\0\xFE\xFF"sv), "UTF-32");
  EXPECT_EQ(foreign_byte_order_mark("\xEF\xBB\xBF text"sv), "");
  EXPECT_EQ(foreign_byte_order_mark(""), "");
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

TEST(Encoding, Utf16IsToldByItsMarkOrItsLetters) {
  EXPECT_TRUE(is_utf16("\xFF\xFEh\0"sv));
  EXPECT_TRUE(is_utf16("t\0w\0o\0 \0w\0o\0r\0d\0s\0\n\0"sv));
  EXPECT_TRUE(is_utf16("\0t\0w\0o\0 \0w\0o\0r\0d\0s\0\n"sv));
  EXPECT_FALSE(is_utf16("\xFF\xFE\0\0h\0\0\0"sv)) << "UTF-32";
  EXPECT_FALSE(is_utf16("t\0\0\0w\0\0\0o\0\0\0 \0\0\0w\0\0\0"sv)) << "UTF-32";
  std::string numbers;  // of 16 bits, as samples of sound are
  for (int i = 0; i < 400; ++i) numbers += {static_cast<char>(i * 37), static_cast<char>(i % 5 - 2)};
  EXPECT_FALSE(is_utf16(numbers));
  EXPECT_FALSE(is_utf16("plain text of an even number of bytes."));
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
