#include "neardup/corpus/csv_header.h"

#include <algorithm>

#include "neardup/corpus/csv_row.h"
#include "neardup/corpus/csv_splitter.h"

namespace neardup::corpus {
namespace {

constexpr size_t kMostShownColumns = 8;
constexpr size_t kMostShownBytes = 40;

void show_name(std::string_view name, CsvHeader& header) {
  if (header.num_columns > kMostShownColumns) return;
  if (header.num_columns > 0) header.shown_names += ", ";
  if (header.num_columns == kMostShownColumns) {
    header.shown_names += "...";
    return;
  }
  header.shown_names.append("'").append(name.substr(0, kMostShownBytes)).append("'");
}

void find_wanted(std::string_view name, const std::vector<WantedKey>& keys, CsvHeader& header) {
  for (size_t key = 0; key < header.columns.size(); ++key) {
    const bool is_wanted = !keys[key].name.empty() && keys[key].name == name;
    if (is_wanted && header.columns[key] == kNoColumn) header.columns[key] = header.num_columns;
  }
}

}  // namespace

Result<CsvHeader> parse_csv_header(std::string_view record, char separator, const JsonLine::Keys& keys) {
  CsvHeader header;
  header.columns.fill(kNoColumn);
  CsvFields fields(record, separator);
  Arena arena;
  for (CsvField field; fields.next(field); ++header.num_columns) {
    const std::string_view name = csv_text(field, arena);
    show_name(name, header);
    find_wanted(name, *keys, header);
  }
  if (fields.fault() == CsvFault::kOpenQuote)
    return fail(Code::kCorruption, "the header row has a quote that does not end");
  if (fields.fault() == CsvFault::kAfterQuote)
    return fail(Code::kCorruption, "the header row has something between a closing quote and the next separator");
  return header;
}

std::string csv_column_names(std::string_view head, char separator) {
  head = without_byte_order_mark(head);
  head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
  CsvSplitter splitter(separator);
  const size_t end = std::min(splitter.find_end(head, 1), head.size());
  const std::string_view row = head.substr(0, end);
  const auto header = parse_csv_header(without_return(row.ends_with('\n') ? row.substr(0, end - 1) : row), separator,
                                       want_keys(ReadOptions{}));
  return header ? header->shown_names : "no fields";
}

std::string missing_column_message(const CsvHeader& header, const std::string& text_key) {
  std::string message = "no column '" + text_key + "'; the header row has " + header.shown_names;
  const bool is_alone = header.num_columns == 1;
  if (is_alone && header.shown_names.find(';') != std::string::npos)
    message += "; columns parted by ; are to be converted first: mlr --icsv --ifs ';' --ocsv cat FILE > FILE.csv";
  if (is_alone && header.shown_names.find('\t') != std::string::npos)
    message += "; columns parted by tabs are --format tsv";
  return message;
}

}  // namespace neardup::corpus
