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
