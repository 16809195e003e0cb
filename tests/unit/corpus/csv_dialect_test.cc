// Dialects of tables: what --table takes, and what the rows of each are.
#include "neardup/corpus/formats/csv_dialect.h"

#include <gtest/gtest.h>

#include "neardup/corpus/formats/csv_row.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

TEST(TableDialect, WordsSayIt) {
  EXPECT_EQ(*parse_dialect(""), CsvDialect{});
  EXPECT_EQ(*parse_dialect("separator=semicolon,quotes=none,escape=backslash,spaces=skip"),
            (CsvDialect{';', CsvQuotes::kNone, CsvEscape::kAll, true}));
  EXPECT_EQ(parse_dialect("separator=|")->separator, '|');
  EXPECT_EQ(parse_dialect("separator=\x01")->separator, '\x01');
  EXPECT_EQ(parse_dialect("separator=tab")->separator, '\t');
  EXPECT_EQ(parse_dialect("separator=\\t")->separator, '\t');
  for (const char* words : {"separator=pipe,quotes=csv", "quotes=tsv", "escape=quote", "spaces=skip", "separator=:"})
    EXPECT_EQ(dialect_words(*parse_dialect(words)), words);
}

TEST(TableDialect, OtherWordsAreRefused) {
  for (const char* words :
       {"quotes", "quotes=", "quotes=all", "escape=/", "separator=", "separator=,,", "separator=ab", "separator=é",
        "separator=\"", "separator=a", "separator= ", "comma", "quotes=none,quotes=csv", "escape=quote,quotes=none",
        "quotes=tsv,escape=backslash", "quotes=tsv,spaces=skip", "separator=;,;"}) {
    const auto dialect = parse_dialect(words);
    ASSERT_FALSE(dialect) << words;
    EXPECT_EQ(dialect.error().code, Code::kInvalidArgument);
    EXPECT_NE(dialect.error().message.find("; a table is described by"), std::string::npos) << dialect.error().message;
  }
}

TEST(TableDialect, WhatIsNotSaidIsUsual) {
  EXPECT_EQ(dialect_of(',').quotes, CsvQuotes::kDouble);
  EXPECT_EQ(dialect_of('\t').quotes, CsvQuotes::kWhole);
  EXPECT_EQ(dialect_of('\t', *parse_dialect("escape=backslash")).quotes, CsvQuotes::kNone) << "as databases write";
  EXPECT_EQ(dialect_of('\t', *parse_dialect("escape=quote")).quotes, CsvQuotes::kDouble);
  EXPECT_EQ(dialect_of('\t', *parse_dialect("spaces=skip")).quotes, CsvQuotes::kDouble);
  EXPECT_EQ(dialect_of(',', *parse_dialect("escape=backslash")).quotes, CsvQuotes::kDouble);
}

struct TableCase {
  const char* name;
  const char* words;  // of --table
  std::string bytes;
  std::vector<std::pair<std::string, std::string>> documents;  // ids and texts
  size_t num_rejected = 0;
};

void expect_documents(const TableCase& one) {
  ReadOptions options;
  options.table = *parse_dialect(one.words);
  const auto items = read_bytes(one.name, one.bytes, options);
  std::vector<std::pair<std::string, std::string>> found;
  for (const Item& item : items)
    if (item.reason.empty()) found.emplace_back(item.id, item.text);
  EXPECT_EQ(found, one.documents) << one.words << ": " << one.bytes;
  EXPECT_EQ(items.size() - found.size(), one.num_rejected) << one.words << ": " << one.bytes;
}

TEST(TableDialect, RowsAreReadAsItSays) {
  const std::vector<TableCase> cases = {
      {"a.csv", "separator=semicolon", "id;text\n1;a, b\n2;\"c;d\"\n", {{"1", "a, b"}, {"2", "c;d"}}},
      {"a.tsv", "separator=pipe", "id|text\r\n1|a\r\n", {{"1", "a"}}},
      {"a.csv", "separator=tab", "id\ttext\n1\t\"a\n2\tb\"\n", {{"1", "\"a"}, {"2", "b\""}}},
      {"a.csv", "quotes=none", "id,text\n1,\"a\n2,b\" c\n3,\"\"\n", {{"1", "\"a"}, {"2", "b\" c"}, {"3", "\"\""}}},
      {"a.tsv", "quotes=none", "id\ttext\n1\t\"a\"\n2\t\"b\n", {{"1", "\"a\""}, {"2", "\"b"}}},
      {"a.tsv", "quotes=csv", "id\ttext\n1\t\"a\n2\tb\"\n", {{"1", "a\n2\tb"}}},
      {"a.csv", "quotes=tsv", "id,text\n1,\"a\n2,\"b, c\"\n", {{"1", "\"a"}, {"2", "b, c"}}},
      {"a.csv", "spaces=skip", "id, text\n1, \"a, b\"\n 2,  c d \n", {{"1", "a, b"}, {"2", "c d "}}},
      {"a.csv",
       "escape=quote",
       "id,text\n1,\"a \\\"b\\\" c\\n\\\\\"\n2,C:\\new\\\n",
       {{"1", "a \"b\" c\\n\\"}, {"2", "C:\\new\\"}}},
      {"a.csv",
       "escape=backslash",
       "id,text\n1,\"a \\\"b\\\"\nc\\n\"\n2,a\\,b\\\nc\n",
       {{"1", "a \"b\"\nc\n"}, {"2", "a,b\nc"}}},
      {"a.csv", "escape=backslash,spaces=skip", "id,text\n1, \"a \\\"b\\\"\"\n", {{"1", "a \"b\""}}},
  };
  for (const TableCase& one : cases) expect_documents(one);
}

TEST(TableDialect, WhatDatabasesWriteIsReadBack) {
  const std::vector<TableCase> cases = {
      {"copy.tsv",
       "escape=backslash",  // COPY of Postgres
       "id\ttext\n1\ta\\tb\\nc\\r\\\\d\\b\\f\\v\n2\t\"as it is\"\n3\t\\\\N\n",
       {{"1", "a\tb\nc\r\\d\b\f\v"}, {"2", "\"as it is\""}, {"3", "\\N"}}},
      {"mysql.tsv",
       "escape=backslash",  // SELECT ... INTO OUTFILE
       "id\ttext\n1\ta\\\tb\\\nc\\0\\Z\n",
       {{"1", std::string("a\tb\nc\0\x1A", 7)}}},
      {"mysql.csv",
       "escape=backslash",  // ENCLOSED BY '"'
       "id,text\n\"1\",\"say \\\"no\\\"\\\nand, \\\\\"\n",
       {{"1", "say \"no\"\nand, \\"}}},
      {"clickhouse.tsv",
       "escape=backslash",  // TabSeparatedWithNames
       "id\ttext\n1\tit\\'s\\n\n",
       {{"1", "it's\n"}}},
  };
  for (const TableCase& one : cases) expect_documents(one);
}

TEST(TableDialect, ANullIsNoText) {
  ReadOptions options;
  options.table = *parse_dialect("escape=backslash");
  const auto items = read_bytes("a.tsv", "id\ttext\n1\t\\N\n\\N\ta\n", options);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].reason, "not_a_string");
  EXPECT_EQ(items[1].text, "a");
  EXPECT_FALSE(items[1].has_id);
  options.text_key = "title,body";
  const std::string bytes = "title\tbody\na\t\\N\n\\N\tb\n\\N\t\\N\n";
  const auto joined = read_bytes("a.tsv", bytes, options);
  ASSERT_EQ(joined.size(), 3U);
  EXPECT_EQ(joined[0].text + joined[1].text, "ab");
  EXPECT_EQ(joined[2].reason, "not_a_string");
  options.text_key = "title|body";
  EXPECT_EQ(read_bytes("a.tsv", bytes, options).at(1).text, "b");
}

TEST(TableDialect, NotesAreWrittenInIt) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"separator=semicolon", "\"a;b\\\"\"\n\""},      {"quotes=none", "a;b\\\" "},
      {"separator=semicolon,quotes=none", "a b\\\" "}, {"escape=quote", "\"a;b\\\\\\\"\n\""},
      {"escape=backslash", "\"a;b\\\\\\\"\n\""},       {"quotes=none,escape=backslash", "a;b\\\\\"\\n"}};
  for (const auto& [words, written] : cases) {
    std::string out;
    append_csv_field(out, "a;b\\\"\n", dialect_of(',', *parse_dialect(words)));
    EXPECT_EQ(out, written) << words;
  }
}

TEST(TableDialect, ItHoldsInBatchesAndPackedFiles) {
  ReadOptions options;
  options.table = *parse_dialect("escape=backslash");
  std::string bytes = "id\ttext\n";
  for (int i = 0; i < 3000; ++i) bytes += std::to_string(i) + "\trow\\\n" + std::to_string(i) + "\\\\\n";
  const std::string packed = *compress(Compression::kGzip, bytes);
  for (const uint64_t batch_bytes : {uint64_t{1}, uint64_t{100}, uint64_t{1} << 20}) {
    options.batch_bytes = batch_bytes;
    for (const auto& items : {read_bytes("a.tsv", bytes, options), read_bytes("a.tsv.gz", packed, options)}) {
      ASSERT_EQ(items.size(), 3000U);
      EXPECT_EQ(items[2999].text, "row\n2999\\");
      EXPECT_EQ(items[2999].line, 1 + 2999 * 2U);
    }
  }
}

}  // namespace
}  // namespace neardup::corpus
