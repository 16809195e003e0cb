// CSV and TSV as inputs: what becomes a document, what is rejected, and what is written again.
#include <gtest/gtest.h>

#include "neardup/corpus/formats.h"
#include "neardup/corpus/output.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

ReadOptions all_keys() {
  ReadOptions options;
  options.value_key = "score";
  options.group_key = "lang";
  return options;
}

TEST(Csv, ColumnsAreFoundByTheNamesInTheHeaderRow) {
  const auto items = read_bytes("a.csv", "lang,id,\"text\",score\nen,7,\"a, \"\"b\"\"\nc\",2.5\n", all_keys());
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].text, "a, \"b\"\nc");
  EXPECT_EQ(items[0].id, "7");
  EXPECT_EQ(items[0].group, "en");
  EXPECT_EQ(items[0].value, "\"2.5\"");
  EXPECT_EQ(items[0].line, 1U);
  EXPECT_EQ(items[0].record, "en,7,\"a, \"\"b\"\"\nc\",2.5");
}

TEST(Csv, OfTwoColumnsWithOneNameTheFirstCounts) {
  const auto items = read_bytes("a.csv", "text,text\none,two\n");
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].text, "one");
  EXPECT_FALSE(items[0].has_id);
}

TEST(Csv, LineEndsAndByteOrderMarkAreAsSpreadsheetsWriteThem) {
  const auto items = read_bytes("a.csv", "\xEF\xBB\xBF\"text\",id\r\none,1\r\n\r\n\"two\r\nlines\",2\r\nlast,3");
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0].text, "one");
  EXPECT_EQ(items[1].text, "two\r\nlines");
  EXPECT_EQ(items[1].line, 3U);
  EXPECT_EQ(items[2].id, "3");
  EXPECT_EQ(items[2].line, 5U);
}

TEST(Csv, RowsThatAreNoneAreRejectedWithTheirLines) {
  const auto items = read_bytes("a.csv", "text,id\na\nb,1,2\n\"c\"d,3\ne,4\n\"f,5\ng,6\n");
  ASSERT_EQ(items.size(), 5U);
  EXPECT_EQ(items[0].reason, "wrong_columns");
  EXPECT_EQ(items[1].reason, "wrong_columns");
  EXPECT_EQ(items[2].reason, "invalid_csv");
  EXPECT_EQ(items[3].text, "e");
  EXPECT_EQ(items[4].reason, "invalid_csv");
  EXPECT_EQ(items[4].line, 5U);
  EXPECT_EQ(items[4].record, "\"f,5\ng,6\n");
}

struct TsvCase {
  const char* about;
  const char* rows;                                            // below "id\ttext"
  std::vector<std::pair<std::string, std::string>> documents;  // ids and texts
  size_t num_rejected = 0;
};

TEST(Tsv, QuotesAreCharactersButWhereTheyHoldAField) {
  const std::vector<TsvCase> cases = {
      {"text that begins with a quote", "1\t\"a b\n2\tc d\n", {{"1", "\"a b"}, {"2", "c d"}}},
      {"and another that ends with one", "1\t\"a\n2\tb\"\n3\tc\n", {{"1", "\"a"}, {"2", "b\""}, {"3", "c"}}},
      {"dialogue", "1\t\"a,\" he said\n2\t\"b\n", {{"1", "\"a,\" he said"}, {"2", "\"b"}}},
      {"a quote alone", "1\t\"\n2\t\"\n3\tc\n", {{"1", "\""}, {"2", "\""}, {"3", "c"}}},
      {"in the first column", "\"1\ta\n2\"\tb\n", {{"\"1", "a"}, {"2\"", "b"}}},
      {"two quotes", "1\t\"\"a\"\" b\n2\t\"\"\n", {{"1", "\"\"a\"\" b"}, {"2", ""}}},
      {"a field in quotes", "\"1\"\t\"a \"\"b\"\"\"\r\n", {{"1", "a \"b\""}}},
      {"a tab in quotes", "1\t\"a\tb\"\n2\tc\n", {{"1", "a\tb"}, {"2", "c"}}},
      {"lines in quotes", "1\t\"a\n\nb\"\n2\tc\n", {{"1", "a\n\nb"}, {"2", "c"}}},
      {"lines in quotes of the first column", "\"a\nb\"\tc\n2\td\n", {{"a\nb", "c"}, {"2", "d"}}},
      {"lines and tabs in quotes", "1\t\"a\tb\nc\"\r\n2\td\n", {{"1", "a\tb\nc"}, {"2", "d"}}},
      {"a tab in the last line in quotes", "1\t\"a b\nc\td\"\n2\te\n", {{"1", "\"a b"}, {"c", "d\""}, {"2", "e"}}},
      {"in a line between", "1\t\"a\nb\tc\nd\"\n", {{"1", "\"a"}, {"b", "c"}}, 1},
      {"two tabs in one", "1\t\"a\nb\t\tc\nd\"\n2\te\n", {{"1", "a\nb\t\tc\nd"}, {"2", "e"}}},
      {"titles",
       "Berlin\t\"Spree\nNew York\t\"Hudson\nSan Marino\tsmall\"\nParis\tlight\n",
       {{"Berlin", "\"Spree"}, {"New York", "\"Hudson"}, {"San Marino", "small\""}, {"Paris", "light"}}},
      {"titles between",
       "Berlin\t\"a\nNew York\tb\nParis\tc\"\n",
       {{"Berlin", "\"a"}, {"New York", "b"}, {"Paris", "c\""}}},
      {"names", "ann\t\"a\nbob\tc\"\n", {{"ann", "\"a"}, {"bob", "c\""}}},
      {"a name of two words", "ann\t\"a\nbob smith\tc\"\n", {{"ann", "\"a"}, {"bob smith", "c\""}}},
      {"one beyond ASCII", "ann\t\"a\njosé\tc\"\n", {{"ann", "\"a"}, {"josé", "c\""}}},
      {"a number and a code", "12\t\"a\nx-y\tc\"\n", {{"12", "\"a"}, {"x-y", "c\""}}},
      {"a code and a word", "k-1\t\"a\nb c\td\"\n", {{"k-1", "\"a"}, {"b c", "d\""}}},
      {"without blanks", "1\t\"第一行\n第二行\t完\"\n", {{"1", "\"第一行"}, {"第二行", "完\""}}},
      {"an empty first column", "ann\t\"a\n\tb\nbob\tc\"\n", {{"ann", "\"a"}, {"", "b"}, {"bob", "c\""}}},
      {"a row with too much", "1\t\"a\tb\tc\n2\td\n", {{"2", "d"}}, 1},
      {"a row with too little", "\"1\n2\t\"d\n", {{"2", "\"d"}}, 1},
      {"the last row is open", "1\ta\n2\t\"b", {{"1", "a"}, {"2", "\"b"}}},
      {"the last row is whole", "1\t\"a\"\n2\t\"b\"", {{"1", "a"}, {"2", "b"}}},
  };
  for (const TsvCase& one : cases) {
    const auto items = read_bytes("a.tsv", std::string("id\ttext\n") + one.rows);
    std::vector<std::pair<std::string, std::string>> found;
    for (const Item& item : items)
      if (item.reason.empty()) found.emplace_back(item.id, item.text);
    EXPECT_EQ(found, one.documents) << one.about;
    EXPECT_EQ(items.size() - found.size(), one.num_rejected) << one.about;
  }
}

TEST(Tsv, AQuoteOfTheHeaderRowIsOneToo) {
  const auto items = read_bytes("a.tsv", "\"id\t\"text\"\n1\ta\n2\t\"b\n");
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1].text, "\"b");
}

TEST(Tsv, AFieldThatIsLongerThanARecordIsNotLookedThrough) {
  ReadOptions options;
  options.max_record_bytes = 100;
  options.batch_bytes = 64;
  std::string bytes = "id\ttext\n0\t\"open\n";
  for (int i = 1; i < 50000; ++i) bytes += std::to_string(i) + " has no text\n";
  const std::string whole = bytes + "\"\n";
  for (const std::string& rows : {whole, whole + "1\ta\n"}) {
    const auto items = read_bytes("a.tsv", rows, options);
    ASSERT_GE(items.size(), 50001U);
    EXPECT_EQ(items[0].text, "\"open");
    EXPECT_EQ(items[1].reason, "wrong_columns");
  }
}

TEST(Csv, AFileWhoseHeaderRowIsWrongIsRejectedWhole) {
  for (const char* bytes : {"\"text,id\na,1\n", "\"text\"x,id\na,1\n"}) {
    for (const bool is_packed : {false, true}) {
      const auto items =
          is_packed ? read_bytes("a.csv.gz", *compress(Compression::kGzip, bytes)) : read_bytes("a.csv", bytes);
      ASSERT_EQ(items.size(), 1U) << bytes;
      EXPECT_EQ(items[0].reason, "invalid_csv");
    }
  }
  EXPECT_TRUE(read_bytes("a.csv", "").empty());
  EXPECT_TRUE(read_bytes("a.csv", "\n\n").empty());
  EXPECT_TRUE(read_bytes("a.csv", "text,id").empty());
}

TEST(Csv, AMissingColumnIsToldWithThoseThatAreThere) {
  const TempFolder folder;
  auto reader = *Reader::open(discover_all({folder.write("a.csv", "id;text\n1;b\n")}), {});
  Batch batch;
  ASSERT_TRUE(*reader.next(batch));
  ASSERT_TRUE(reader.load(batch));
  ASSERT_EQ(batch.rejections.size(), 1U);
  EXPECT_EQ(batch.rejections[0].reason, "missing_text");
  EXPECT_NE(batch.rejections[0].message.find("the header row has 'id;text'"), std::string::npos);
  EXPECT_NE(batch.rejections[0].message.find("--table separator=semicolon"), std::string::npos);
}

/// The message of the first rejection of a file.
std::string first_message(std::string_view bytes, const std::string& name = "a.csv") {
  const TempFolder folder;
  auto reader = *Reader::open(discover_all({folder.write(name, bytes)}), {});
  Batch batch;
  EXPECT_TRUE(*reader.next(batch));
  EXPECT_TRUE(reader.load(batch));
  return batch.rejections.empty() ? "" : batch.rejections[0].message;
}

TEST(Csv, TheSeparatorThatSeemsToBeMeantIsTold) {
  EXPECT_NE(first_message("id|text\n1|b\n").find("--table separator=pipe"), std::string::npos);
  EXPECT_NE(first_message("id;text\n1;one, two\n").find("--table separator=semicolon"), std::string::npos);
  EXPECT_NE(first_message("id\ttext\n1\tb\n").find("--format tsv"), std::string::npos);
  EXPECT_NE(first_message("id,text\n1,b\n", "a.tsv").find("--format csv"), std::string::npos);
  EXPECT_EQ(first_message("id,body\n1,b;c\n").find("parted by"), std::string::npos);
}

TEST(Csv, ATableWithoutAHeaderRowIsTold) {
  const std::string text = "The harbour was closed yesterday morning because of thick fog; the ferry struck the pier.";
  const auto is_told = [](const std::string& bytes, const std::string& name) {
    return first_message(bytes, name).find("that seems to be a row of the table") != std::string::npos;
  };
  EXPECT_TRUE(is_told("1," + text + "\n2,b\n", "a.csv"));
  EXPECT_TRUE(is_told("-3.5\tx\n4\ty\n", "a.tsv"));
  EXPECT_TRUE(is_told("x," + text + "\ny,b\n", "a.csv"));
  EXPECT_FALSE(is_told("id,body\n1,b\n", "a.csv"));
  EXPECT_FALSE(is_told("1;text\n2;b\n", "a.csv")) << "another separator is the likelier cause";
}

struct CauseCase {
  const char* name;
  const char* bytes;
  const char* cause;  // what seems to be meant
  const char* flag;   // what says so
};

TEST(Csv, ARowThatIsNoneNamesItsDialectAndTheFlag) {
  const std::vector<CauseCase> cases = {
      {"a.csv", "id,text\n1,\"a \\\"b\\\" c\"\n", "a backslash seems to escape", "escape=quote"},
      {"a.csv", "id,text\n1,\"a \\\"b\\\"\\nc\"\n", "a backslash seems to escape", "escape=backslash"},
      {"a.csv", "id,text\n1,a\\,b\n", "a backslash seems to escape", "escape=backslash"},
      {"a.csv", "id,text\n1,\"a\\\",b\"\n", "a backslash seems to escape", "escape=quote"},
      {"a.tsv", "id\ttext\n1\ta\\\tb\n", "a backslash seems to escape", "escape=backslash"},
      {"a.csv", "id,text\n1, \"a, b\"\n", "a space stands before a quote", "spaces=skip"},
      {"a.csv", "id,text\n1,\"a\" b\n", "a quote inside is to be doubled", "quotes=none"},
      {"a.csv", "id,text\n1,\"a\n2,b\n", "if quotes are meant as characters", "quotes=none"},
      {"a.csv", "id,text\n1,\"a\n2,b\",c\n3,d\n", "if quotes are meant as characters", "quotes=none"},
      {"a.csv", "id;text\n1;b\n", "columns parted by ;", "separator=semicolon"},
  };
  for (const CauseCase& one : cases) {
    const std::string message = first_message(one.bytes, one.name);
    EXPECT_NE(message.find(one.cause), std::string::npos) << one.bytes << ": " << message;
    EXPECT_NE(message.find(std::string("--table ") + one.flag), std::string::npos) << one.bytes << ": " << message;
    ReadOptions options;
    options.table = *parse_dialect(one.flag);
    EXPECT_EQ(read_bytes(one.name, one.bytes, options).at(0).reason, "") << one.bytes << ", read as the message says";
  }
  EXPECT_NE(first_message("id\ttext\n1\t\"a\tb\n", "a.tsv").find("does not close before a tab or line end"),
            std::string::npos);
  EXPECT_EQ(first_message("id,text\n1,a,b\n"), "has 3 columns, and the header row 2");
}

TEST(Csv, LinesThatEndWithReturnsAloneAreNoHeaderRow) {
  for (const char* bytes : {"id,text\r1,one\r2,two\r", "\"id\",\"text\"\r1,one\r", "id,\"text\"\r1,\"one\"\r\n"}) {
    const auto items = read_bytes("a.csv", bytes);
    ASSERT_EQ(items.size(), 1U) << bytes;
    EXPECT_EQ(items[0].reason, "invalid_csv");
    EXPECT_NE(first_message(bytes).find("tr '\\r' '\\n'"), std::string::npos) << first_message(bytes);
  }
  EXPECT_TRUE(read_bytes("a.csv", "id,text\r").empty()) << "a header row whose line end is cut";
}

TEST(Csv, ATruncatedPackedFileGivesItsWholeRows) {
  std::string bytes = "text,id\n";
  for (int i = 0; i < 5000; ++i)
    bytes += "\"row number " + std::to_string(i * 7919) + "\nof many\"," + std::to_string(i) + "\n";
  std::string packed = *compress(Compression::kGzip, bytes);
  packed.resize(packed.size() / 2);
  const auto items = read_bytes("a.csv.gz", packed);
  ASSERT_GT(items.size(), 100U);
  EXPECT_EQ(items.back().reason, "truncated");
  for (size_t i = 0; i + 1 < items.size(); ++i) ASSERT_EQ(items[i].id, std::to_string(i));
}

TEST(Csv, ALongRowIsCutAndTheNextIsRead) {
  ReadOptions options;
  options.max_record_bytes = 100;
  options.batch_bytes = 64;
  const std::string bytes = "text,id\n\"" + std::string(300000, '\n') + "\",1\nnext,2\n";
  for (const bool is_packed : {false, true}) {
    const auto items = is_packed ? read_bytes("a.csv.gz", *compress(Compression::kGzip, bytes), options)
                                 : read_bytes("a.csv", bytes, options);
    ASSERT_EQ(items.size(), 2U);
    EXPECT_EQ(items[0].reason, "too_long");
    EXPECT_EQ(items[1].id, "2");
    EXPECT_EQ(items[1].line, 300002U);
  }
}

/// The rejections of a file that stand for more than one record.
std::vector<Unread> unread_of(const std::string& name, std::string_view bytes, const ReadOptions& options = {}) {
  const TempFolder folder;
  auto reader = *Reader::open(discover_all({folder.write(name, bytes)}), options);
  std::vector<Unread> found;
  for (Batch batch; *reader.next(batch);) {
    EXPECT_TRUE(reader.load(batch));
    for (const Rejection& rejection : batch.rejections)
      if (rejection.unread) found.push_back(*rejection.unread);
  }
  return found;
}

TEST(Csv, WhatAQuoteThatDoesNotEndTakesIsCounted) {
  const std::string rows = "text,id\na,1\n";
  EXPECT_EQ(unread_of("a.csv", rows + "\"b,2\nc,3\n"), (std::vector<Unread>{{.text_bytes = 9}}));
  EXPECT_EQ(unread_of("a.csv", rows + "\"b,2\nc,\"3\nd,4\n"), (std::vector<Unread>{{.text_bytes = 9, .num_lines = 2}}));
  EXPECT_EQ(unread_of("a.csv", rows + "\"b\"c,2\nd,4\n"), std::vector<Unread>{});
  EXPECT_EQ(unread_of("a.csv", "\"text,id\na,1\n"), (std::vector<Unread>{{.text_bytes = 13}}));
}

TEST(Csv, SoIsWhatOneTakesThatIsTooLong) {
  ReadOptions options;
  options.max_record_bytes = 100;
  options.batch_bytes = 64;
  const std::string row = "text,id\n\"" + std::string(300000, '\n');
  const std::string packed = *compress(Compression::kGzip, row);
  EXPECT_EQ(unread_of("a.csv", row, options), (std::vector<Unread>{{.text_bytes = 300001}}));
  EXPECT_EQ(unread_of("a.csv.gz", packed, options), (std::vector<Unread>{{.text_bytes = 300001}}));
  EXPECT_EQ(unread_of("a.csv", "text,id\n\"" + std::string(150, '\n'), options),
            (std::vector<Unread>{{.text_bytes = 151}}));
  EXPECT_EQ(unread_of("a.csv", row + "\",1\nnext,2\n", options), std::vector<Unread>{});
}

TEST(Csv, SoIsTheRestOfADamagedFile) {
  const std::string rows = "text,id\na,1\nb";
  const std::string damaged = *compress(Compression::kGzip, rows) + std::string(1000, 'x');
  const std::vector<Unread> csv = unread_of("a.csv.gz", damaged), jsonl = unread_of("a.jsonl.gz", damaged);
  ASSERT_EQ(csv.size(), 1U);
  EXPECT_EQ(csv[0].text_bytes, 1U);
  EXPECT_NEAR(static_cast<double>(csv[0].packed_bytes), 1000, 2);
  EXPECT_EQ(jsonl, csv);
  const std::string whole = *compress(Compression::kGzip, rows);
  EXPECT_EQ(unread_of("a.csv.gz", whole.substr(0, whole.size() - 4)), (std::vector<Unread>{{.text_bytes = 1}}));
}

TEST(Csv, BlankLinesBeforeTheHeaderRowAreNoMoreThanARecord) {
  ReadOptions options;
  options.max_record_bytes = 100;
  const std::string rows = "text,id\na,1\n";
  EXPECT_EQ(read_bytes("a.csv", std::string(50, '\n') + rows, options).size(), 1U);
  const std::string many = std::string(3'000'000, '\n') + rows;
  for (const bool is_packed : {false, true}) {
    const auto items = is_packed ? read_bytes("a.csv.gz", *compress(Compression::kGzip, many), options)
                                 : read_bytes("a.csv", many, options);
    ASSERT_EQ(items.size(), 1U);
    EXPECT_EQ(items[0].reason, "invalid_csv");
  }
}

TEST(Csv, WhatIsNoTableInAFolderIsRejectedAndNamedItselfRefused) {
  const TempFolder folder;
  const std::string utf16("\xFF\xFEt\0e\0x\0t\0", 10);
  const std::string path = folder.write("in/a.csv", utf16);
  const auto items = read_inputs(discover_all({folder.path("in")}));
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].reason, "binary");
  EXPECT_FALSE(discover(std::vector<std::string>{path}, {}));
}

/// What the sink writes of all documents of a file.
std::string write_again(const std::string& name, std::string_view bytes, const std::optional<Note>& note) {
  const TempFolder folder;
  auto reader = *Reader::open(discover_all({folder.write(name, bytes)}), {});
  std::string out;
  for (Batch batch; *reader.next(batch);) {
    EXPECT_TRUE(reader.load_records(batch));
    std::vector<Chosen> chosen;
    for (const Document& document : batch.documents) chosen.push_back({&document, note});
    sink_of(reader.inputs()[0].format).append(batch, chosen, note.has_value(), out);
  }
  return out;
}

TEST(CsvSink, WritesRowsAsTheyCame) {
  const std::string bytes = "\xEF\xBB\xBFid,\"text\"\r\n1,\"a\nb\"\r\n 2 ,\"\"\"\"\r\n";
  EXPECT_EQ(write_again("a.csv", bytes, {}), bytes);
  EXPECT_EQ(write_again("a.csv", "id,text\n", {}), "id,text\n");
}

TEST(CsvSink, ReplacesTheNotesOfAnEarlierRun) {
  const Note note{.duplicate_of = "1", .cluster = 3};
  const std::string bytes = "\xEF\xBB\xBF\"a,\"\"b\",id,text\r\n0,1,\"x,y\"\r\n,2,x";
  const std::string once = write_again("a.csv", bytes, note);
  EXPECT_EQ(once,
            "\xEF\xBB\xBF\"a,\"\"b\",id,text,neardup_duplicate_of,neardup_cluster\r\n0,1,\"x,y\",1,3\r\n,2,x,1,3\n");
  EXPECT_EQ(write_again("a.csv", once, note), once);
  EXPECT_EQ(write_again("a.csv", write_again("a.csv", bytes, Note{.duplicate_of = "\"p,q\"", .cluster = {}}), note),
            once);
  const std::string others = "neardup_cluster,neardup_duplicate_of,text\n1,2,x\n";
  EXPECT_TRUE(write_again("a.csv", others, note).starts_with("neardup_cluster,neardup_duplicate_of,text,neardup_d"));
}

TEST(CsvSink, AddsTwoColumnsBeforeTheLineEnd) {
  const Note note{.duplicate_of = "a\t\"1\"", .cluster = 3};
  EXPECT_EQ(write_again("a.tsv", "id\ttext\r\n1\tx\r\n", note),
            "id\ttext\tneardup_duplicate_of\tneardup_cluster\r\n1\tx\t\"a\t\"\"1\"\"\"\t3\r\n");
  EXPECT_EQ(write_again("a.csv", "id,text\n1,x\n", Note{}), "id,text,neardup_duplicate_of,neardup_cluster\n1,x,,\n");
}

}  // namespace
}  // namespace neardup::corpus
