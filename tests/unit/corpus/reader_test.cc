#include <algorithm>
#include <numeric>

#include "neardup/corpus/units.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

TEST(Reader, JsonlFields) {
  const auto items = read_bytes("a.jsonl",
                                "{\"id\":\"x\",\"text\":\"one\\ntwo\",\"k\":[1, 2],\"g\":\"\\u00e9\"}\n"
                                "\n"
                                "{\"id\":-12,\"text\":\"\",\"g\":{\"a\":1}}\r\n"
                                "{\"id\":1.5,\"text\":\"no line end\"}",
                                {.value_key = "k", .group_key = "g"});
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0], (Item{"a.jsonl", 0, "", true, "x", "one\ntwo",
                            "{\"id\":\"x\",\"text\":\"one\\ntwo\",\"k\":[1, 2],\"g\":\"\\u00e9\"}", "[1, 2]", "é"}));
  EXPECT_EQ(items[1],
            (Item{"a.jsonl", 2, "", true, "-12", "", "{\"id\":-12,\"text\":\"\",\"g\":{\"a\":1}}\r", "", "{\"a\":1}"}));
  EXPECT_EQ(items[2], (Item{"a.jsonl", 3, "", false, "", "no line end", "{\"id\":1.5,\"text\":\"no line end\"}"}));
}

TEST(Reader, NestedKeysAndKeysWithDots) {
  const ReadOptions options{.text_key = "a.b", .id_key = "m.id"};
  EXPECT_EQ(read_bytes("a.jsonl", "{\"a\":{\"b\":\"nested\"},\"m\":{\"id\":3}}", options).at(0).text, "nested");
  EXPECT_EQ(read_bytes("a.jsonl", "{\"a\":{\"b\":\"nested\"},\"m\":{\"id\":3}}", options).at(0).id, "3");
  EXPECT_EQ(read_bytes("a.jsonl", "{\"a\":{\"b\":\"nested\"},\"a.b\":\"literal\"}", options).at(0).text, "literal");
  EXPECT_EQ(read_bytes("a.jsonl", "{\"a\":{},\"a\":{\"b\":\"second\"}}", options).at(0).reason, "missing_text");
}

TEST(Reader, RejectionsTellWhatWasFound) {
  const auto reasons = [](const std::string& line) { return read_bytes("a.jsonl", line).at(0).reason; };
  EXPECT_EQ(reasons("{\"text\":\"a\"} x"), "invalid_json");
  EXPECT_EQ(reasons("{\"text\":\"a\""), "invalid_json");
  EXPECT_EQ(reasons("{\"text\":\"a\"}{}"), "invalid_json");
  EXPECT_EQ(reasons("{\"text\":\"a\",\"other\":\"\\x\"}"), "invalid_json");
  EXPECT_EQ(reasons("{\"text\":\"a\",\"other\":01}"), "invalid_json");
  EXPECT_EQ(reasons("{\"text\":\"a\tb\"}"), "invalid_json");
  EXPECT_EQ(reasons("[\"text\"]"), "not_an_object");
  EXPECT_EQ(reasons("{\"texts\":\"a\"}"), "missing_text");
  EXPECT_EQ(reasons("{\"text\":null}"), "not_a_string");

  const TempFolder folder;
  auto reader = Reader::open(discover_all({folder.write("a.jsonl", "\n{\"text\":tru}")}), {});
  Batch batch;
  ASSERT_TRUE(*reader->next(batch));
  ASSERT_TRUE(reader->load(batch));
  ASSERT_EQ(batch.rejections.size(), 1U);
  EXPECT_EQ(batch.rejections[0].line, 1U);
  EXPECT_EQ(batch.rejections[0].message, "expected a value at byte 9, found tru: strings stand in double quotes");
  EXPECT_EQ(batch.rejections[0].excerpt, "{\"text\":tru}");
}

TEST(Reader, BadUtf8AndLoneSurrogatesRejectNothing) {
  const std::string record = "{\"text\":\"a\xFF\xFE\xC3 b\",\"id\":\"\\ud800x\"}";
  const auto items = read_bytes("a.jsonl", record);
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].text, "a\xEF\xBF\xBD b");
  EXPECT_EQ(items[0].id, "\xEF\xBF\xBDx");
  EXPECT_EQ(items[0].record, record);
}

TEST(Reader, OnlyNewlineEndsALine) {
  const auto items = read_bytes("a.txt",
                                "a\rb\xE2\x80\xA8"
                                "c\xC2\x85"
                                "d\x0B"
                                "e\r\n\r\n\t \nlast",
                                {}, {.format = Format::kLines});
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].text,
            "a\rb\xE2\x80\xA8"
            "c\xC2\x85"
            "d\x0B"
            "e");
  EXPECT_EQ(items[0].record, items[0].text + "\r");
  EXPECT_FALSE(items[0].has_id);
  EXPECT_EQ(items[1].line, 3U);
  EXPECT_EQ(items[1].text, "last");
}

TEST(Reader, ByteOrderMarkIsSkippedAtTheStartOnly) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const uint64_t batch_bytes : {uint64_t{1}, uint64_t{1} << 20}) {
    const ReadOptions options{.batch_bytes = batch_bytes};
    const auto items = read_bytes("a.txt", mark + "a\n" + mark + "b\n", options, {.format = Format::kLines});
    ASSERT_EQ(items.size(), 2U);
    EXPECT_EQ(items[0].record, "a");
    EXPECT_EQ(items[1].record, mark + "b");
  }
  const auto text = read_bytes("a.txt", mark + "a\n");
  EXPECT_EQ(text.at(0).text, "a\n");
  EXPECT_EQ(text.at(0).record, mark + "a\n");
}

TEST(Reader, ByteOrderMarksInsideJsonlAreNoFault) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::string record = "{\"text\":\"a\"}";
  const std::string bad_utf8 = "{\"text\":\"b\xFF\"}";
  const auto items = read_bytes("a.jsonl", mark + record + "\n" + mark + record + "\n" + mark + bad_utf8 + "\n");
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0], (Item{"a.jsonl", 0, "", false, "", "a", record}));
  EXPECT_EQ(items[1], (Item{"a.jsonl", 1, "", false, "", "a", mark + record}));
  EXPECT_EQ(items[2], (Item{"a.jsonl", 2, "", false, "", "b\xEF\xBF\xBD", mark + bad_utf8}));
}

TEST(Reader, CompressedTextFilesAreBatchesOfTheirOwn) {
  const TempFolder folder;
  const std::string text(100'000, 'x');
  const std::string gzip = *compress(Compression::kGzip, text);
  for (int i = 0; i < 200; ++i) folder.write("in/f" + std::to_string(1000 + i) + ".txt.gz", gzip);
  folder.write("in/f1100.txt", "plain");
  folder.write("in/f1100a.txt", "plain too");
  auto reader = Reader::open(discover_all({folder.path("in")}), {});
  size_t num_batches = 0;
  size_t num_documents = 0;
  for (Batch batch; *reader->next(batch); ++num_batches) {
    ASSERT_TRUE(reader->load(batch));
    size_t bytes = 0;
    for (const Document& document : batch.documents) bytes += document.text.size();
    EXPECT_LE(bytes, text.size());
    num_documents += batch.documents.size();
  }
  EXPECT_EQ(num_documents, 202U);
  EXPECT_EQ(num_batches, 202U) << "the plain files do not follow one another";
}

TEST(Units, ABatchTakesSoManyTextFiles) {
  std::vector<Input> inputs(10'000);
  for (Input& input : inputs) input.size_bytes = 1;
  const std::vector<Unit> units = cut_units(inputs, {});
  ASSERT_EQ(units.size(), 3U);
  EXPECT_EQ(units[0].num_inputs, 4096U);
  EXPECT_EQ(units[2].first_input, 8192U);
  EXPECT_EQ(units[2].num_inputs, 10'000U - 8192U);
}

TEST(Reader, TextFilesShareBatches) {
  const TempFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 10; ++i) paths.push_back(folder.write("f" + std::to_string(i) + ".txt", std::string(100, 'x')));
  folder.write("f5.txt", "");
  auto reader = Reader::open(discover_all(paths), {.batch_bytes = 250});
  std::vector<size_t> sizes;
  uint64_t bytes = 0;
  for (Batch batch; *reader->next(batch);) {
    ASSERT_TRUE(reader->load(batch));
    EXPECT_EQ(batch.documents.size(), batch.num_inputs);
    EXPECT_EQ(batch.documents[0].input, batch.first_input);
    EXPECT_EQ(batch.documents[0].id, reader->inputs()[batch.first_input].name);
    sizes.push_back(batch.documents.size());
    bytes += batch.bytes;
  }
  EXPECT_EQ(sizes, (std::vector<size_t>{3, 4, 3}));
  EXPECT_EQ(bytes, 900U);
}

TEST(Reader, BinaryFilesAreNoText) {
  const TempFolder folder;
  const std::string path = folder.write("in/a.bin", std::string("a\0b", 3));
  folder.write("in/late.txt", std::string(8192, 'a') + '\0');
  const auto items = read_inputs(discover_all({folder.path("in")}));
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].reason, "binary");
  EXPECT_EQ(items[1].reason, "");
  EXPECT_EQ(read_inputs(discover_all({path})).at(0).reason, "binary") << "a third of it";
  const std::string named = folder.write("b.txt", std::string(200, 'a') + '\0');
  EXPECT_EQ(read_inputs(discover_all({named})).at(0).text.size(), 201U) << "a few are allowed in a file given itself";
}

TEST(Reader, RecordsArePassedOnWithoutParsing) {
  const TempFolder folder;
  const auto inputs = discover_all({folder.write("a.jsonl", "{broken\n\n{\"text\":\"a\"}\n")});
  auto reader = Reader::open(inputs, {});
  const auto items = read_all(*reader, true);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].record, "{broken");
  EXPECT_EQ(items[1].line, 2U);
}

TEST(Reader, BytesOfAllBatchesAreTheTotal) {
  const TempFolder folder;
  std::string lines;
  for (int i = 0; i < 5000; ++i) lines += "{\"text\":\"line " + std::to_string(i) + "\"}\n";
  const auto inputs =
      discover_all({folder.write("a.jsonl", lines), folder.write("c.txt", "text"),
                    folder.write("b.jsonl.gz", *compress(Compression::kGzip, lines)), folder.write("d.jsonl", lines)});
  auto reader = Reader::open(inputs, {.batch_bytes = 10000});
  const uint64_t total = reader->total_bytes();
  uint64_t bytes = 0;
  for (Batch batch; *reader->next(batch);) bytes += batch.bytes;
  EXPECT_EQ(bytes, total);
  EXPECT_EQ(total, std::accumulate(inputs.begin(), inputs.end(), uint64_t{0},
                                   [](uint64_t sum, const Input& input) { return sum + input.size_bytes; }));
}

TEST(Reader, ShardsAreBalancedByBytes) {
  const TempFolder folder;
  const auto inputs = discover_all({folder.write("a.txt", std::string(100000, 'x'))}, {.format = Format::kLines});
  for (int shard = 0; shard < 4; ++shard) {
    auto reader = Reader::open(inputs, {.batch_bytes = 1000});
    reader->set_shard(shard, 4);
    EXPECT_EQ(reader->total_bytes(), 25000U);
  }
}

TEST(Reader, OptionsOutOfRange) {
  EXPECT_EQ(Reader::open({}, {.batch_bytes = 0}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(Reader::open({}, {.max_record_bytes = 0}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(Reader::open({}, {.max_record_bytes = uint64_t{2} << 30}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(Reader::open({}, {.text_key = ""}).error().code, Code::kInvalidArgument);
  auto reader = Reader::open({}, {});
  Batch batch;
  EXPECT_FALSE(*reader->next(batch));
}

TEST(Reader, TextsWithoutEscapesAreViewsOfTheRecord) {
  const TempFolder folder;
  auto reader =
      Reader::open(discover_all({folder.write("a.jsonl", "{\"text\":\"plain\"}\n{\"text\":\"a\\nb\"}\n")}), {});
  Batch batch;
  ASSERT_TRUE(*reader->next(batch));
  ASSERT_TRUE(reader->load(batch));
  const auto is_inside = [](std::string_view part, std::string_view whole) {
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
  };
  EXPECT_TRUE(is_inside(batch.documents[0].text, batch.documents[0].record));
  EXPECT_FALSE(is_inside(batch.documents[1].text, batch.documents[1].record));
}

}  // namespace
}  // namespace neardup::corpus
