// Which fields of a record are its text: all forms of --text-key over JSONL and tables.
#include "neardup/corpus/text_path.h"

#include <gtest/gtest.h>

#include <array>

#include "neardup/base/json.h"
#include "neardup/corpus/formats/json_text.h"
#include "neardup/corpus/formats/unescape.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

struct KeyCase {
  const char* key;
  const char* record;
  const char* text;  // or the reason
  bool is_text = true;
};

constexpr const char* kChat =
    R"({"messages":[{"role":"system","content":"Be \"kind\""},{"role":"user","content":null},)"
    R"({"role":"tool"},{"role":"user","content":"hi\nyou"}],"x":{"messages":[{"content":"no"}]}})";

const std::vector<KeyCase> kJsonCases = {
    {"text", R"({"text":"a"})", "a"},
    {"meta.text", R"({"meta":{"x":[{"text":"no"}],"text":"b"}})", "b"},
    {"meta.text", R"({"meta":{"text":"b"},"meta.text":"exact"})", "exact"},
    {"a.b.c", R"({"a":{"b":{"c":"deep"}}})", "deep"},
    {"messages[].content", kChat, "Be \"kind\"\n\nhi\nyou"},
    {"messages[].content", R"({"messages[].content":"exact"})", "exact"},
    {"messages[].content", R"({"messages":[{"content":"one"}]})", "one"},
    {"x.messages[].content", kChat, "no"},
    {"m[].c[].t", R"({"m":[{"c":[{"t":"a"},{"t":"b"}]},{"c":[{"i":1},{"t":"c"}]}]})", "a\n\nb\n\nc"},
    {"m[].c[].t", R"({"m":[{"c":"a\n"},{"c":[{"t":"b"},{"i":1}]},{"c":null},{"c":""}]})", "a\n\n\nb"},
    {"m[].c[].t", R"({"m":"a"})", "a"},
    {"m[].c[].t", R"({"m":[{"c":7}]})", "not_a_string", false},
    {"tags[]", R"({"tags":["a",null,"","b"]})", "a\n\nb"},
    {"a.tags[]", R"({"a":{"tags":["x"]}})", "x"},
    {"title,body", R"({"body":"B","title":"T"})", "T\n\nB"},
    {"title, body", R"({"title":"T","body":"B"})", "T\n\nB"},
    {"title,body", R"({"title":null,"body":"B"})", "B"},
    {"title,body", R"({"title":"","body":"B"})", "B"},
    {"title,body", R"({"title":"","body":""})", ""},
    {"title,body", R"({"title,body":"exact","title":"T"})", "exact"},
    {"title,meta.text,tags[]", R"({"title":"T","meta.text":"M","tags":["a","b"]})", "T\n\nM\n\na\n\nb"},
    {"text|content", R"({"content":"c"})", "c"},
    {"text|content", R"({"text":"t","content":"c"})", "t"},
    {"text|content", R"({"text":"","content":"c"})", "c"},
    {"text|content", R"({"text":null,"content":"c"})", "c"},
    {"text|content", R"({"text":7,"content":"c"})", "c"},
    {"text|content", R"({"text":"","content":null})", ""},
    {"title,body|title|body", R"({"body":"B"})", "B"},
    {"\xC3\xA9,b", R"({"\u00e9":"e","b":"\u00fc"})", "e\n\n\xC3\xBC"},
    {R"("a|")", R"({"a|":"T"})", "T"},
    {R"("a,b",c)", R"({"a,b":"T","c":"B"})", "T\n\nB"},
    {R"(m."x.y")", R"({"m":{"x.y":"T","x":{"y":"no"}}})", "T"},
    {R"("m.x"[]."c|d" | "")", R"({"m.x":[{"c|d":"T"},{"c|d":"B"}]})", "T\n\nB"},
    {R"("m.x" [] | "")", R"({"":"T"})", "T"},
    {R"("a""b")", R"({"a\"b":"T"})", "T"},
    {R"("a.b"|a.b)", R"({"a":{"b":"T"}})", "T"},
    {R"("a")", R"({"\"a\"":"exact","a":"T"})", "exact"},
    {R"("a,b)", R"({"\"a":"T","b":"B"})", "T\n\nB"},
    {R"(a"b","c)", R"({"a\"b\"":"T","\"c":"B"})", "T\n\nB"},
    {"title,body", R"({"title":"T"})", "missing_text", false},
    {"title,body", R"({"title":"T","body":7})", "not_a_string", false},
    {"title,body", R"({"title":null,"body":null})", "not_a_string", false},
    {"text|content", R"({"other":"T"})", "missing_text", false},
    {"tags[]", R"({"tags":"a"})", "not_a_string", false},
    {"tags[]", R"({"tags":["a",7]})", "not_a_string", false},
    {"tags[]", R"({"tags":[]})", "not_a_string", false},
    {"tags", R"({"tags":["a"]})", "not_a_string", false},
    {"messages[].content", R"({"messages":[{"content":["a"]}]})", "not_a_string", false},
    {"messages[].content", R"({"messages":["a",{"content":"b"}]})", "not_a_string", false},
    {"messages[].content", R"({"id":"a"})", "missing_text", false},
};

TEST(TextKey, EachFormFindsTheTextOfLinesOfJson) {
  for (const KeyCase& one : kJsonCases) {
    ReadOptions options;
    options.text_key = one.key;
    const auto items = read_bytes("a.jsonl", std::string(one.record) + "\n", options);
    ASSERT_EQ(items.size(), 1U) << one.key;
    EXPECT_EQ(one.is_text ? items[0].text : items[0].reason, one.text) << one.key << " of " << one.record;
    EXPECT_EQ(items[0].reason.empty(), one.is_text) << one.key << " of " << one.record;
    EXPECT_EQ(items[0].record, std::string(one.record).substr(0, one.is_text ? std::string::npos : 200));
  }
}

TEST(TextKey, AListThatWasTypedWithoutBracketsIsNamed) {
  for (const auto& [key, wanted] : std::vector<std::pair<std::string, std::string>>{
           {"messages.content", "'messages[].content' takes that of each item"},
           {"text|messages.content", "'messages[].content' takes that of each item"},
           {"x.messages.content", "'x.messages[].content' takes that of each item"},
           {"messages.none", "no field 'messages.none'; found"},
           {"x.none.content", "no field 'x.none.content'; found"}}) {
    ReadOptions options;
    options.text_key = key;
    const TempFolder folder;
    auto reader = Reader::open(discover_all({folder.write("a.jsonl", std::string(kChat) + "\n")}), options);
    Batch batch;
    ASSERT_TRUE(reader && *reader->next(batch) && reader->load(batch)) << key;
    ASSERT_EQ(batch.rejections.size(), 1U) << key;
    EXPECT_EQ(batch.rejections[0].reason, "missing_text") << key;
    EXPECT_NE(batch.rejections[0].message.find(wanted), std::string::npos) << batch.rejections[0].message;
  }
}

TEST(TextKey, AListWhereAStringIsDueIsToldWithTheKeyThatTakesBoth) {
  for (const auto& [key, record, wanted] : std::vector<std::array<std::string, 3>>{
           {"m[].c", R"({"m":[{"c":"a"},{"c":[{"t":"b"}]}]})", "; of a list 'm[].c[]' takes the strings"},
           {"x|m.c", R"({"x":7,"m":{"c":["a"]}})", "'x' is not a string"},
           {"m[].c", R"({"m":[{"c":7}]})", "[] names"},
           {"m.c", R"({"m":{"c":["a"]}})", "; of a list 'm.c[]' takes the strings"}}) {
    ReadOptions options;
    options.text_key = key;
    const TempFolder folder;
    auto reader = Reader::open(discover_all({folder.write("a.jsonl", record + "\n")}), options);
    Batch batch;
    ASSERT_TRUE(reader && *reader->next(batch) && reader->load(batch)) << key;
    ASSERT_EQ(batch.rejections.size(), 1U) << key;
    EXPECT_EQ(batch.rejections[0].reason, "not_a_string") << key;
    EXPECT_TRUE(batch.rejections[0].message.find(wanted) != std::string::npos) << batch.rejections[0].message;
  }
}

TEST(TextKey, ALineWithWrongUtf8IsReadRepaired) {
  ReadOptions options;
  options.text_key = "a[].b,c";
  const auto items = read_bytes("a.jsonl", "{\"a\":[{\"b\":\"x\xFF\"},{\"b\":\"y\"}],\"c\":\"z\"}\n", options);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].text, "x\xEF\xBF\xBD\n\ny\n\nz");
}

TEST(TextKey, EachFormFindsTheTextOfRows) {
  const std::vector<KeyCase> cases = {
      {"title,body", "title,body,title|body\nT,\"B, \"\"q\"\"\",x\n", "T\n\nB, \"q\""},
      {"title,body", "body,title\nB,\n", "B"},
      {"body|title", "title,body\nT,\n", "T"},
      {"text|body", "title,body\nT,B\n", "B"},
      {"meta.text", "meta.text,x\nB,\n", "B"},
      {"title,body", "\"title,body\",title\nexact,T\n", "exact"},
      {"\"a|\"", "a|,x\nT,B\n", "T"},
      {"\"a,b\",x", "\"a,b\",x\nT,B\n", "T\n\nB"},
      {"title,body", "title,text\nT,B\n", "missing_text", false},
      {"text|body", "title,x\nT,B\n", "missing_text", false},
  };
  for (const KeyCase& one : cases) {
    ReadOptions options;
    options.text_key = one.key;
    const auto items = read_bytes("a.csv", one.record, options);
    ASSERT_EQ(items.size(), 1U) << one.key;
    EXPECT_EQ(one.is_text ? items[0].text : items[0].reason, one.text) << one.key << " of " << one.record;
  }
}

/// The text that a key finds in one object.
std::string text_of(const std::string& typed, const std::string& object) {
  const auto key = TextKey::parse(typed);
  if (!key) return "refused: " + key.error().message;
  Arena arena;
  JsonText text(*key);
  const std::string padded = object + std::string(kUnescapePadding, ' ');
  const TextKey::Choice choice = text.find(std::string_view(padded).substr(0, object.size()), arena);
  return choice.found == PathText::Found::kText ? std::string(text.text()) : "none";
}

TEST(TextKey, EveryNameIsInReachByQuotes) {
  for (char c = 1; c > 0 && c < 0x7F; ++c) {
    const std::string sign(1, c);
    for (const std::string& name :
         {sign, "a" + sign, sign + "a", "a" + sign + "b", sign + sign, "a" + sign + sign + "[]"}) {
      std::string quoted = "\"", json;
      for (const char letter : name) quoted.append(letter == '"' ? 2 : 1, letter);
      quoted += '"';
      append_json_string(json, name);
      EXPECT_EQ(text_of(quoted, "{" + json + ":\"T\"}"), "T") << quoted;
      EXPECT_EQ(text_of("none | " + quoted + " , last", "{" + json + ":\"T\",\"last\":\"Y\"}"), "T\n\nY") << quoted;
      EXPECT_EQ(text_of("list." + quoted + "[]", "{\"list\":{" + json + ":[\"T\",\"U\"]}}"), "T\n\nU") << quoted;
    }
  }
}

TEST(TextKey, WhatNamesNoFieldIsRefusedWithTheForms) {
  std::string many = "a", deep = "a";
  for (size_t i = 0; i < TextKey::kMostPaths; ++i) many += ",a" + std::to_string(i);
  for (size_t i = 0; i < TextKey::kMostSteps; ++i) deep += ".a";
  for (const std::string& typed : {std::string("a,,b"), std::string("a|"), std::string("[]"), std::string(" , "),
                                   std::string("a.[]"), many, deep}) {
    const auto key = TextKey::parse(typed);
    ASSERT_FALSE(key) << typed;
    EXPECT_EQ(key.error().code, Code::kInvalidArgument);
    EXPECT_NE(key.error().message.find("messages[].content"), std::string::npos);
    EXPECT_NE(key.error().message.find("in double quotes"), std::string::npos);
  }
  for (const char* typed : {"text", "a.b", "a b", "a-b", ".", "a[0]"}) {
    const auto key = TextKey::parse(typed);
    ASSERT_TRUE(key) << typed;
    EXPECT_TRUE(key->is_one_field()) << typed;
  }
}

}  // namespace
}  // namespace neardup::corpus
