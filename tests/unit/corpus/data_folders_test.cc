// What files of folders are by their bytes and by what lies beside them.
#include "neardup/corpus/find/data_folders.h"

#include "neardup/corpus/find/object_lines.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

const std::string kObject = "{\"id\":1,\"text\":\"a\"}\n";
const std::string kTwo = kObject + "{\"id\":2,\"text\":\"b\"}\n";

struct FileOf {
  std::string name;
  std::string bytes;
  Format format;
};

std::vector<std::string> names_of(const std::vector<Input>& inputs) {
  std::vector<std::string> names;
  for (const Input& input : inputs) names.push_back(input.name);
  return names;
}

/// Each file alone, in a folder and by a pattern; found alike.
void expect_formats(const std::vector<FileOf>& files) {
  const TempFolder folder;
  for (const FileOf& file : files) {
    folder.write("in " + file.name + "/" + file.name, file.bytes);
    const Input found = discover_all({folder.path("in " + file.name)}).at(0);
    EXPECT_EQ(found.format, file.format) << file.name << ": " << file.bytes.substr(0, 80);
    EXPECT_EQ(discover_all({folder.path("in " + file.name + "/*")}).at(0), found);
  }
}

TEST(ObjectLines, Rows) {
  struct Row {
    std::string head;
    size_t num_whole;
    bool has_member, is_other, is_cut;
  };
  const std::vector<Row> rows = {
      {"", 0, false, false, false},
      {"\n \n", 0, false, false, false},
      {"{\"a\":1}", 1, true, false, false},
      {"\xEF\xBB\xBF\r\n {\"a\":1}\r\n\r\n", 1, true, false, false},
      {"{\"a\":[1,{\"b\":[]},{}, -1.5e+3, true, null, NaN]}\n{}\n", 2, true, false, false},
      {"{}\n{ }\n", 2, false, false, false},
      {"{\"a\":\"}\\\"{\\\\\"}\n", 1, true, false, false},
      {"{\"a\":1}{\"b\":2}\r{\"c\":3}", 1, true, false, false},
      {"{\"a\":1} \n[\n", 1, true, true, false},
      {"{\"a\":1}\nwords\n", 1, true, true, false},
      {"{\"a\":1},\n", 0, false, true, false},
      {"{\n\"a\":1}\n", 0, false, true, false},
      {"{a:1}", 0, false, true, false},
      {"{{ x }}", 0, false, true, false},
      {"{% if x %}", 0, false, true, false},
      {"{\"a\", \"b\"}", 0, false, true, false},
      {"{\"a\" => 1}", 0, false, true, false},
      {"{\"a\":1]}", 0, false, true, false},
      {"{\"a\":1,}", 0, false, true, false},
      {"{\"a\":[1,]}", 0, false, true, false},
      {"[1]", 0, false, true, false},
      {"\"a\"", 0, false, true, false},
      {"{\"a\":\"never", 0, false, true, false},
      {std::string(2000, '{'), 0, false, true, false},
      {"{\"a\":" + std::string(2000, '['), 0, false, true, false},
  };
  for (const Row& row : rows) {
    const ObjectLines found = look_for_object_lines(row.head, true, 9);
    EXPECT_EQ(std::tuple(found.num_whole, found.num_whole > 0 && found.has_member, found.is_other, found.is_cut),
              std::tuple(row.num_whole, row.has_member, row.is_other, row.is_cut))
        << row.head.substr(0, 40);
  }
}

TEST(ObjectLines, BytesThatAreNotAll) {
  for (const char* head : {"{", "{\"a", "{\"a\":1}", "{\"a\":1} {\"b\"", "{\"a\":\"\\"}) {
    EXPECT_TRUE(look_for_object_lines(head, false, 9).is_cut) << head;
    EXPECT_EQ(look_for_object_lines(head, false, 9).num_whole, 0U) << head;
  }
  EXPECT_TRUE(look_for_object_lines("{a", false, 9).is_other);
  const ObjectLines second = look_for_object_lines("{\"a\":1}\n{\"a\":", false, 9);
  EXPECT_EQ(second.num_whole, 1U);
  EXPECT_TRUE(second.is_cut);
  EXPECT_FALSE(look_for_object_lines("{\"a\":1}\n{\"b\":1}\n[", false, 2).is_other);
}

TEST(DataFolders, LinesOfObjectsUnderAnyName) {
  using F = Format;
  std::vector<FileOf> files;
  for (const char* name :
       {"part-00000", "part-r-00001", "part-00000-6f1e-c000", "stream-1-2026-11-28-02-00-00-6f1e", "x.00", "x.1",
        "items.jl", "x.ldjson", "x.geojsonl", "x.json_lines", "x.jsonlines", "x.json-lines"}) {
    files.push_back({name, kTwo, F::kJsonl});
    files.push_back({name, kObject, F::kJsonl});
    files.push_back({std::string(name) + ".gz", *compress(Compression::kGzip, kObject), F::kJsonl});
    files.push_back({std::string(name) + "z", *compress(Compression::kZstd, kTwo), F::kJsonl});
  }
  for (const char* name : {"x.data", "x.json.1a", "x.out", "x.txt", "x.log", "x.bak"}) {
    files.push_back({name, kTwo, F::kJsonl});
    files.push_back({name, kObject, F::kText});  // a text that is made of an object
  }
  files.push_back({"part-0", "{\"text\":NaN}\n{}", F::kJsonl});
  files.push_back({"part-1", "{\"text\":\"a\"}{\"text\":\"b\"}", F::kJsonl});
  files.push_back({"part-2", "{\"text\":\"" + std::string(200'000, 'x') + "\"}\n" + kObject, F::kJsonl});
  files.push_back({"x.dump", "{\"text\":\"" + std::string(200'000, 'x') + "\"}\n" + kObject, F::kJsonl});
  files.push_back({"part-3", "{\"text\":\"" + std::string(5'000'000, 'x') + "\"}\n", F::kJsonl});
  files.push_back({"pages.txt", *compress(Compression::kGzip, kTwo), F::kJsonl});
  expect_formats(files);
}

TEST(DataFolders, OtherFormatsUnderAnyName) {
  expect_formats({{"part-00000", "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n", Format::kWarc},
                  {"part-00001.gz", *compress(Compression::kGzip, "WARC/1.1\r\n"), Format::kWarc},
                  {"part-00002", "PAR1....PAR1", Format::kParquet}});
}

TEST(DataFolders, TextsAndProgramsStayWhatTheyAre) {
  std::vector<FileOf> files;
  for (const std::string& text : std::vector<std::string>{
           "{ a brace } and words\n", "{{ page.title }}\n{{ content }}\n", "{% extends 'base' %}\n",
           "{\n  \"a\": 1\n}\n", "{\"a\": 1}\nThese are settings.\n", "{}\n{}\n", "{ color: red; }\n",
           "{\"a\", \"b\"}\n{\"c\", \"d\"}\n", "{'a': 1}\n{'b': 2}\n", "{ \"main\": main }; function main() {}\n",
           "words\n" + kTwo, "[" + kObject + "]"})
    for (const char* name :
         {"README", "x", "part-0", "x.txt", "x.js", "x.css", "x.tmpl", "x.c", "x.py", "x.md", "x.jl"})
      files.push_back({name, text, Format::kText});
  for (const char* name : {"x.js.map", "x.webmanifest", "x.geojson", "x.md", "x.html", "x.har"})
    files.push_back({name, kObject, Format::kText});
  files.push_back({"x.output", kTwo + "[]\n", Format::kText});
  files.push_back({"x.txt", kTwo + "Each line of the above is an object.\n", Format::kText});
  files.push_back({"x.js.map", "{\"mappings\":\"" + std::string(5'000'000, 'x') + "\"}", Format::kText});
  files.push_back({"x.json", "{\n}\n", Format::kText});
  expect_formats(files);
}

TEST(DataFolders, NeighboursTellWhatASingleObjectIs) {
  const TempFolder folder;
  folder.write("a/1.rec", kTwo);
  folder.write("a/2.rec", kObject);
  folder.write("a/2.map", kObject);
  folder.write("b/2.rec", kObject);
  folder.write("c/1.rec", kTwo);
  folder.write("c/2.rec", kObject);
  folder.write("c/3.rec", "words\n");
  const auto inputs = discover_all({folder.path()});
  ASSERT_EQ(names_of(inputs),
            (std::vector<std::string>{"a/1.rec", "a/2.map", "a/2.rec", "b/2.rec", "c/1.rec", "c/2.rec", "c/3.rec"}));
  EXPECT_EQ(inputs[5].format, Format::kText) << "not all others are records";
  EXPECT_EQ(inputs[1].format, Format::kText);
  EXPECT_EQ(inputs[2].format, Format::kJsonl);
  EXPECT_EQ(inputs[3].format, Format::kText);
}

TEST(DataFolders, MarksAndNotesAreNoDocuments) {
  const std::vector<std::string> data = {"date=1/part-00000", "part-00000", "part-00001", "part-00002.gz"};
  const TempFolder folder;
  for (const std::string& name : data) folder.write("in/" + name, kTwo);
  folder.write("in/part-00001", "");
  folder.write("in/part-00002.gz", *compress(Compression::kGzip, ""));
  for (const char* name :
       {"_SUCCESS", "date=1/_SUCCESS", "part-00000.crc", ".part-00000.crc", "_committed_77", "_started_77", "_metadata",
        "_common_metadata", "_delta_log/0.json", "_temporary/0/part-00000", "_spark_metadata/0", "date=1/_temporary/x"})
    folder.write(std::string("in/") + name, kTwo);
  for (const auto& argument : {folder.path("in"), folder.path("in/**"), folder.path("in/*")}) {
    std::vector<std::string> expected = data;
    if (argument.ends_with("/*")) expected.erase(expected.begin());
    if (argument.ends_with("**")) expected[0] = "date=1/part-00000", expected[1] = "in/part-00000";
    const auto inputs = discover_all({argument});
    EXPECT_EQ(names_of(inputs), expected) << argument;
    for (const Input& input : inputs) EXPECT_EQ(input.format, Format::kJsonl) << input.name;
    EXPECT_EQ(why_mixed(inputs), "");
  }
}

TEST(DataFolders, WhatWasNamedIsRead) {
  const TempFolder folder;
  for (const char* name :
       {"in/part-00000", "in/_committed_77", "in/a.crc", "in/a", "in/_temporary/run1", "in/_SUCCESS"})
    folder.write(name, kTwo);
  folder.write("in/part-00001", "");
  std::vector<std::string> named;
  for (const char* name : {"_SUCCESS", "_committed_77", "_temporary/run1", "a", "a.crc", "part-00000", "part-00001"})
    named.push_back(folder.path("in/") + name);
  const auto inputs = discover_all(named);
  ASSERT_EQ(inputs.size(), named.size());
  EXPECT_EQ(inputs.back().format, Format::kJsonl) << "an empty part, as a shell gives it for a pattern";
  EXPECT_TRUE(warnings_of(inputs).empty());
  // A folder of that name, and a pattern.
  EXPECT_EQ(names_of(discover_all({folder.path("in/_temporary"), folder.path("in/a")})),
            (std::vector<std::string>{"_temporary/run1", "a"}));
  EXPECT_EQ(names_of(discover_all({folder.path("in/_temporary/*"), folder.path("in/a")})),
            (std::vector<std::string>{"run1", "a"}));
  const TempFolder below;
  below.write("_delta_log/x/a.jsonl", kTwo);
  EXPECT_EQ(discover_all({below.path("_delta_log/x")}).size(), 1U);
}

TEST(DataFolders, NamesLikeMarksAreData) {
  const TempFolder folder;
  const std::vector<std::string> names = {"_committed_x.jsonl", "_metadata.jsonl", "_started_",
                                          "_started_a.jsonl",   "b.crc",           "part-00000"};
  for (const std::string& name : names) folder.write("in/" + name, kTwo);
  const auto inputs = discover_all({folder.path("in")});
  EXPECT_EQ(names_of(inputs), names);
  EXPECT_TRUE(warnings_of(inputs).empty());
}

TEST(DataFolders, WhatIsLeftOutIsToldOnce) {
  const TempFolder folder;
  for (const char* name : {"a/_SUCCESS", "a/part-0", "a/part-1", "b/_started_7", "b/part-0", "b/_temporary/0/part-0"})
    folder.write(std::string("in/") + name, std::string_view(name).ends_with("SUCCESS") ? "" : kTwo);
  const auto inputs = discover_all({folder.path("in")});
  EXPECT_EQ(names_of(inputs), (std::vector<std::string>{"a/part-0", "a/part-1", "b/part-0"}));
  ASSERT_EQ(warnings_of(inputs).size(), 1U);
  EXPECT_EQ(warnings_of(inputs)[0],
            "2 files beside data were left out as marks of the program that wrote it, such as '" +
                folder.path("in/b/_started_7") + "'; a file that is given itself is read");
}

TEST(DataFolders, OneThatIsLeftOutIsToldAsOne) {
  const TempFolder folder;
  for (const char* name : {"part-0", "_started_7"}) folder.write(name, kTwo);
  const auto warnings = warnings_of(discover_all({folder.path()}));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].find("a file beside data was left out as a mark of the program"), 0U) << warnings[0];
}

TEST(DataFolders, TheSameNamesAmongTextsAreTexts) {
  const TempFolder folder;
  for (const char* name : {"_SUCCESS", "_metadata", "_temporary/notes.txt", "a.txt", "empty.txt", "sums.crc"})
    folder.write(name, "");
  EXPECT_EQ(discover_all({folder.path()}).size(), 6U);
  folder.write("data/a.jsonl", kTwo);
  folder.write("texts/_SUCCESS", "");
  folder.write("texts/empty", "");
  const auto inputs = discover_all({folder.path("texts"), folder.path("data")});
  EXPECT_EQ(names_of(inputs), (std::vector<std::string>{"texts/_SUCCESS", "texts/empty", "data/a.jsonl"}));
  EXPECT_EQ(discover_all({folder.path("_SUCCESS")}).at(0).format, Format::kText);
}

TEST(DataFolders, FoldersOfTwoKindsAreTold) {
  const TempFolder folder;
  folder.write("in/a.jsonl", kTwo);
  folder.write("in/part-0", kTwo);
  folder.write("in/x.csv", "text\na\n");
  EXPECT_EQ(why_mixed(discover_all({folder.path("in")})), "");
  folder.write("in/notes", "words");
  folder.write("in/z.txt", "words");
  EXPECT_EQ(
      why_mixed(discover_all({folder.path("in")})),
      "the inputs are of two kinds: 2 files read as one document each, such as 'notes', and files of records (2 of "
      "JSONL, 1 of CSV); leave out with --exclude what is no document, or say with --format what all are");
  EXPECT_EQ(why_mixed(discover_all({folder.path("in/a.jsonl"), folder.path("in/notes")})), "") << "somebody named them";
  EXPECT_EQ(why_mixed(discover_all({folder.path("in")}, {.format = Format::kText})), "");
}

}  // namespace
}  // namespace neardup::corpus
