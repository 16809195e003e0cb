#include "neardup/corpus/formats/csv_header.h"

#include <algorithm>

#include "neardup/corpus/formats/csv_row.h"
#include "neardup/corpus/formats/csv_splitter.h"
#include "neardup/corpus/text_path.h"

namespace neardup::corpus {
namespace {

constexpr size_t kMostShownColumns = 8;
constexpr size_t kMostShownBytes = 40;
constexpr size_t kMostNameOfColumn = 80;  // few columns have longer names, and few texts are shorter

void show_name(std::string_view name, CsvHeader& header) {
  if (header.num_columns > kMostShownColumns) return;
  if (header.num_columns > 0) header.shown_names += ", ";
  if (header.num_columns == kMostShownColumns) {
    header.shown_names += "...";
    return;
  }
  header.shown_names.append("'").append(name.substr(0, kMostShownBytes)).append("'");
}

/// Whether a name is rather a value, as in the first row of a table that has no header row.
bool looks_like_data(std::string_view name) {
  const std::string_view digits = name.substr(name.starts_with('-') ? 1 : 0);
  const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789.") == std::string_view::npos;
  return is_number || name.size() > kMostNameOfColumn;
}

constexpr const char* kNoHeaderRow =
    "; that seems to be a row of the table: one of names is to stand above it, such as by sed '1i id,text' FILE > "
    "FILE.csv"
    " (with the separator of FILE)";

/// Of Macs of old: the whole file is then one row. RFC 4180 has no \r outside quotes but before \n.
constexpr const char* kLoneReturns = "its lines end with \\r alone; convert it first: tr '\\r' '\\n' < FILE > FILE.csv";

/// What may part the columns of a row that has but one, as far as is known.
char other_separator(std::string_view row, char separator) {
  for (const char other : {'\t', ';', '|', ','})
    if (other != separator && row.find(other) != std::string_view::npos) return other;
  return 0;
}

std::string separator_cure(char found) {
  if (found == 0) return "";
  if (found == '\t') return "; columns parted by tabs are --format tsv";
  if (found == ',') return "; columns parted by , are --format csv";
  return std::string("; columns parted by ") + found +
         " are --table separator=" + (found == ';' ? "semicolon" : "pipe");
}

void find_text(std::string_view name, const TextKey& key, CsvHeader& header) {
  for (size_t i = 0; i < header.text_columns.size(); ++i)
    if (header.text_columns[i] == kNoColumn && key.paths()[i].name == name) header.text_columns[i] = header.num_columns;
}

void find_wanted(std::string_view name, const std::vector<WantedKey>& keys, CsvHeader& header) {
  for (size_t key = 0; key < header.columns.size(); ++key) {
    const bool is_wanted = !keys[key].name.empty() && keys[key].name == name;
    if (is_wanted && header.columns[key] == kNoColumn) header.columns[key] = header.num_columns;
  }
}

}  // namespace

Result<CsvHeader> parse_csv_header(std::string_view record, const CsvDialect& dialect, const ReadOptions& options) {
  NEARDUP_ASSIGN(const TextKey text_key, TextKey::parse(options.text_key));
  const JsonLine::Keys keys = want_keys(options);
  CsvHeader header;
  if (!text_key.is_one_field()) header.text_columns.assign(text_key.paths().size(), kNoColumn);
  header.dialect = dialect;
  header.columns.fill(kNoColumn);
  CsvFields fields(record, dialect, 0);
  Arena arena;
  std::string last;
  for (CsvField field; fields.next(field); ++header.num_columns) {
    const std::string_view name = csv_text(field, arena);
    if (!field.is_quoted && name.find('\r') != std::string_view::npos) return fail(Code::kCorruption, kLoneReturns);
    header.has_notes = header.num_columns > 1 && name == kClusterColumn && last == kDuplicateOfColumn;
    last = name;
    header.looks_like_data = header.looks_like_data || looks_like_data(name);
    show_name(name, header);
    find_wanted(name, *keys, header);
    find_text(name, text_key, header);
  }
  if (header.columns[kTextField] != kNoColumn) header.text_columns.clear();
  if (fields.fault() == CsvFault::kAfterQuote && fields.rest().starts_with('\r'))
    return fail(Code::kCorruption, kLoneReturns);
  if (header.num_columns == 1) header.other_separator = other_separator(record, dialect.separator);
  if (fields.fault() == CsvFault::kOpenQuote)
    return fail(Code::kCorruption, "the header row has a quote that does not end");
  if (fields.fault() == CsvFault::kAfterQuote)
    return fail(Code::kCorruption, "the header row has something between a closing quote and the next separator");
  return header;
}

std::string csv_column_names(std::string_view head, const CsvDialect& dialect) {
  head = without_byte_order_mark(head);
  head.remove_prefix(std::min(head.find_first_not_of("\r\n"), head.size()));
  CsvSplitter splitter(dialect);
  const size_t end = std::min(splitter.find_end(head, 1), head.size());
  const std::string_view row = head.substr(0, end);
  const auto header =
      parse_csv_header(without_return(row.ends_with('\n') ? row.substr(0, end - 1) : row), dialect, ReadOptions{});
  return header ? header->shown_names : "no fields";
}

std::string_view without_notes(std::string_view row, const CsvHeader& header) {
  CsvFields fields(row, header.dialect, header.num_columns);
  std::array<size_t, 3> begins = {0, 0, 0};  // of the next field and the two before it
  for (CsvField field; fields.next(field);) begins = {fields.at(), begins[0], begins[1]};
  return row.substr(0, begins[2] == 0 ? 0 : begins[2] - 1);
}

std::string wrong_columns_message(const CsvHeader& header, size_t num_fields) {
  return "has " + std::to_string(num_fields) + (num_fields == 1 ? " column" : " columns") + ", and the header row " +
         std::to_string(header.num_columns) + separator_cure(header.other_separator);
}

std::string missing_column_message(const CsvHeader& header, const std::string& what) {
  const std::string cure = separator_cure(header.other_separator);
  const bool has_no_names = cure.empty() && header.looks_like_data;
  return what + "; the header row has " + header.shown_names + (has_no_names ? kNoHeaderRow : cure);
}

}  // namespace neardup::corpus
