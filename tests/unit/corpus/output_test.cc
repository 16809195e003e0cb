#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

std::string annotated(std::string_view record, std::string_view members = "\"n\":1") {
  std::string out = "before ";
  append_annotated_json(out, record, members);
  EXPECT_TRUE(out.starts_with("before "));
  return out.substr(7);
}

TEST(Annotate, AddsMembersBeforeTheClosingBrace) {
  EXPECT_EQ(annotated("{\"a\":1}"), "{\"a\":1,\"n\":1}");
  EXPECT_EQ(annotated("{}"), "{\"n\":1}");
  EXPECT_EQ(annotated(" { \t} \r"), " { \t\"n\":1} \r");
  EXPECT_EQ(annotated("{\"a\":{}}"), "{\"a\":{},\"n\":1}");
  EXPECT_EQ(annotated("{\"a\":\"{\" }\r"), "{\"a\":\"{\" ,\"n\":1}\r");
  EXPECT_EQ(annotated("{\"a\":1}", ""), "{\"a\":1}");
  EXPECT_EQ(annotated("{}", ""), "{}");
  EXPECT_EQ(annotated("{\"a\":\"\xFF\"}", "\"x\":2,\"y\":3"), "{\"a\":\"\xFF\",\"x\":2,\"y\":3}");
}

TEST(Annotate, ReplacesTheMembersOfAnEarlierRun) {
  const std::string notes = R"("neardup_duplicate_of":null,"neardup_cluster":7)";
  for (const char* id : {"null", R"("a")", R"("a\"}\\")", R"("")"}) {
    const std::string old = std::string(R"("neardup_duplicate_of":)") + id + R"(,"neardup_cluster":null)";
    EXPECT_EQ(annotated("{\"a\":1," + old + "} ", notes), "{\"a\":1," + notes + "} ");
    EXPECT_EQ(annotated("{" + old + "}", notes), "{" + notes + "}");
    for (const std::string& other : {"{\"b\":{" + old + "}}", "{" + old + ",\"c\":1}", "{" + old + "0}",
                                     "{\"neardup_duplicate_of\":" + std::string(id) + "}"})
      EXPECT_EQ(annotated(other, notes), other.substr(0, other.size() - 1) + "," + notes + "}");
  }
  const std::string in_text = R"({"a":",\"neardup_duplicate_of\":null,\"neardup_cluster\":1"})";
  EXPECT_EQ(annotated(in_text, notes), in_text.substr(0, in_text.size() - 1) + "," + notes + "}");
}

TEST(Annotate, WhatIsNoObjectBreaksTheContract) {
  std::string out;
  EXPECT_DEATH(append_annotated_json(out, "[1]", "\"n\":1"), "");
  EXPECT_DEATH(append_annotated_json(out, "", "\"n\":1"), "");
  EXPECT_DEATH(append_annotated_json(out, "}", "\"n\":1"), "");
}

TEST(Compress, PiecesOneAfterTheOtherAreAFile) {
  std::string large;
  for (int i = 0; i < 30000; ++i) large += "line " + std::to_string(i * 7919 % 10007) + "\n";
  for (const Compression compression : {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
    std::string file;
    for (const std::string& piece : {std::string("first\n"), large, std::string("last")}) {
      file += *compress(compression, piece);
      EXPECT_EQ(*compress(compression, piece), *compress(compression, piece));
    }
    const TempFolder folder;
    Input input;
    input.path = folder.write("file", file);
    input.name = "file";
    input.format = Format::kText;
    input.compression = compression;
    input.size_bytes = file.size();
    const auto items = read_inputs({input});
    ASSERT_EQ(items.size(), 1U);
    EXPECT_EQ(items[0].text, "first\n" + large + "last");
  }
}

}  // namespace
}  // namespace neardup::corpus
