// CSV: the splitter, the fields and the reader against the plain one.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "neardup/corpus/output.h"
#include "tests/agree/corpus/csv_check.h"
#include "tests/unit/corpus/support.h"

namespace neardup::corpus {
namespace {

void for_each_text(std::string_view letters, size_t size, const std::function<void(const std::string&)>& visit) {
  std::string text(size, letters[0]);
  const auto total = static_cast<size_t>(std::pow(letters.size(), size));
  for (size_t number = 0; number < total; ++number) {
    for (size_t i = 0, rest = number; i < size; ++i, rest /= letters.size()) text[i] = letters[rest % letters.size()];
    visit(text);
  }
}

TEST(Csv, RecordsAndFieldsAreThoseOfThePlainReader) {
  for (size_t size = 0; size <= 6; ++size) {
    for_each_text("a,\"\n\r", size, [](const std::string& text) {
      const std::string wrong = check_csv(text, {dialect_of(',')});
      ASSERT_EQ(wrong, "") << ::testing::PrintToString(text);
    });
  }
}

TEST(Csv, TabsPartTheFieldsOfTsv) {
  for_each_text("a\t\"\n", 6, [](const std::string& text) {
    const std::string wrong = check_csv(text, {dialect_of('\t', CsvQuotes::kDouble)});
    ASSERT_EQ(wrong, "") << ::testing::PrintToString(text);
  });
}

TEST(Csv, QuotesOfTsvOpenAFieldWhereTheyClose) {
  for (const size_t num_columns : {1, 2, 3})
    for (size_t size = 0; size <= 7; ++size)
      for_each_text("a\t\"\n", size, [num_columns](const std::string& text) {
        const std::string wrong = check_csv(text, {dialect_of('\t'), num_columns});
        ASSERT_EQ(wrong, "") << ::testing::PrintToString(text) << " of " << num_columns;
      });
  for_each_text("1x \t\"\n", 6, [](const std::string& text) {  // whatever stands in the columns
    const std::string rows = "1\t\"" + text;
    ASSERT_EQ(check_csv(rows, {dialect_of('\t'), 2}), "") << ::testing::PrintToString(rows);
  });
  for_each_text("\t\"\n\r", 6, [](const std::string& text) {
    ASSERT_EQ(check_csv(text, {dialect_of('\t'), 2}), "") << ::testing::PrintToString(text);
  });
}

/// Every dialect but those that are looked at above.
std::vector<CsvDialect> other_dialects() {
  std::vector<CsvDialect> dialects;
  for (const CsvQuotes quotes : {CsvQuotes::kNone, CsvQuotes::kDouble})
    for (const CsvEscape escape : {CsvEscape::kNone, CsvEscape::kAll, CsvEscape::kQuote})
      for (const bool skips_spaces : {false, true}) {
        const CsvDialect dialect{',', quotes, escape, skips_spaces};
        if (!dialect.is_walked() && quotes == CsvQuotes::kDouble) continue;
        if (escape == CsvEscape::kQuote && quotes == CsvQuotes::kNone) continue;
        dialects.push_back(dialect);
      }
  return dialects;
}

TEST(Csv, SoAreThoseOfOtherDialects) {
  for (const CsvDialect& dialect : other_dialects()) {
    const std::string_view letters = dialect.skips_spaces ? "n,\"\n\\ " : "n,\"\n\\\r";
    for (size_t size = 0; size <= 4; ++size)
      for_each_text(letters, size, [&dialect](const std::string& text) {
        ASSERT_EQ(check_csv(text, {dialect}), "") << ::testing::PrintToString(text) << dialect_words(dialect);
      });
  }
}

std::string random_rows(std::mt19937_64& random, size_t size) {
  static constexpr std::string_view kPieces[] = {
      "a", "bc", ",", ",", "\"", "\"\"", "\n", "\r\n", "long words here", ",\"", "\",", "\"\n"};
  std::string text;
  while (text.size() < size) text += kPieces[random() % std::size(kPieces)];
  return text;
}

TEST(Csv, LongTextsAgreeToo) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_rows(random, random() % 200);
    ASSERT_EQ(check_csv(text, {dialect_of(',')}), "") << ::testing::PrintToString(text);
    ASSERT_EQ(check_csv(text, {dialect_of(',', CsvQuotes::kWhole), 2}), "") << ::testing::PrintToString(text);
    std::string escaped = text.substr(0, 60);
    std::ranges::replace(escaped, 'b', '\\');
    const std::vector<CsvDialect> dialects = other_dialects();
    const CsvDialect& dialect = dialects[random() % dialects.size()];
    ASSERT_EQ(check_csv(escaped, {dialect}), "") << ::testing::PrintToString(escaped) << dialect_words(dialect);
  }
}

/// What a Reader must give for "text,id\n" + rows, or with tabs.
std::vector<Item> expected_items(const std::string& name, const std::string& rows, uint64_t max_record_bytes) {
  std::vector<Item> items;
  for (const plain::CsvRecord& record : read_plain(rows, {dialect_of(name[2] == 't' ? '\t' : ','), 2})) {
    Item item{name, 1 + static_cast<uint64_t>(
                            std::count(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(record.begin), '\n'))};
    item.record = rows.substr(record.begin, record.end - record.begin);
    if (item.record.size() > max_record_bytes) {
      item.reason = "too_long";
    } else if (item.record.empty() || item.record == "\r") {
      continue;
    } else if (record.open_quote || record.after_quote) {
      item.reason = "invalid_csv";
    } else if (record.fields.size() != 2) {
      item.reason = "wrong_columns";
    } else {
      item.text = record.fields[0];
      item.id = record.fields[1];
      item.has_id = !item.id.empty();
    }
    if (!item.reason.empty()) item.record = item.record.substr(0, 200);
    items.push_back(item);
  }
  return items;
}

std::vector<Item> read_sharded(const std::vector<Input>& inputs, const ReadOptions& options, int count) {
  std::vector<Item> items;
  uint64_t first_line = 0;
  for (int shard = 0; shard < count; ++shard) {
    auto reader = *Reader::open(inputs, options);
    reader.set_shard(shard, count);
    for (Batch batch; *reader.next(batch);) {
      EXPECT_TRUE(reader.load(batch));
      append_items(batch, reader, first_line, items);
    }
  }
  return items;
}

TEST(Csv, BatchesAndShardsGiveTheRowsOfThePlainReader) {
  std::mt19937_64 random(11);
  const TempFolder folder;
  for (int round = 0; round < 150; ++round) {
    const std::string rows = random_rows(random, random() % 400);
    const uint64_t max_record_bytes = round % 3 == 0 ? 10 + random() % 40 : 1000;
    const std::string all = "text,id\n" + rows;
    const std::string plain_path = folder.write("a.csv", all);
    const std::string packed_path = folder.write("b.csv.gz", *compress(Compression::kGzip, all));
    for (const uint64_t batch_bytes : {uint64_t{1}, uint64_t{7}, 1 + random() % 100, uint64_t{1} << 20}) {
      ReadOptions options;
      options.batch_bytes = batch_bytes;
      options.max_record_bytes = max_record_bytes;
      const std::string about = ::testing::PrintToString(all) + " in batches of " + std::to_string(batch_bytes) +
                                ", at most " + std::to_string(max_record_bytes);
      expect_same(read_inputs(discover_all({plain_path}), options), expected_items("a.csv", rows, max_record_bytes),
                  about);
      expect_same(read_inputs(discover_all({packed_path}), options), expected_items("b.csv.gz", rows, max_record_bytes),
                  about);
      expect_same(read_sharded(discover_all({plain_path}), options, 3), expected_items("a.csv", rows, max_record_bytes),
                  about);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Csv, SoDoThoseOfTsv) {
  std::mt19937_64 random(12);
  const TempFolder folder;
  ReadOptions options;
  for (int round = 0; round < 200; ++round) {
    std::string rows = random_rows(random, random() % 400);
    std::ranges::replace(rows, ',', '\t');
    const std::string path = folder.write("a.tsv", "text\tid\n" + rows);
    for (const uint64_t batch_bytes : {uint64_t{1}, uint64_t{7}, 1 + random() % 100, uint64_t{1} << 20}) {
      options.batch_bytes = batch_bytes;
      const std::string about = ::testing::PrintToString(rows) + " in batches of " + std::to_string(batch_bytes);
      expect_same(read_inputs(discover_all({path}), options), expected_items("a.tsv", rows, 1000), about);
      expect_same(read_sharded(discover_all({path}), options, 3), expected_items("a.tsv", rows, 1000), about);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace neardup::corpus
