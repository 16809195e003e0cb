#include "neardup/corpus/formats/csv_row.h"

#include <algorithm>

#include "neardup/corpus/formats/csv_whole.h"

namespace neardup::corpus {
namespace {

bool is_line(std::string_view record, const CsvDialect& dialect, size_t num_columns) {
  return dialect.quotes == CsvQuotes::kWhole && record.find('"') != std::string_view::npos &&
         !find_whole_record(record, dialect.separator, num_columns, CsvRest::kLineEnd)->takes_quotes;
}

}  // namespace

CsvFields::CsvFields(std::string_view record, const CsvDialect& dialect, size_t num_columns)
    : record_(record), separator_(dialect.separator), is_line_(is_line(record, dialect, num_columns)) {}

bool CsvFields::stop(CsvFault fault) {
  fault_ = fault;
  has_more_ = false;
  return false;
}

void CsvFields::go_behind(size_t end) {
  has_more_ = end < record_.size();
  at_ = end + 1;
}

bool CsvFields::next_quoted(CsvField& field) {
  const size_t begin = at_ + 1;
  field.is_quoted = true;
  size_t end = record_.find('"', begin);
  for (; end != std::string_view::npos && record_.substr(end).starts_with("\"\""); end = record_.find('"', end + 2))
    field.has_doubled_quotes = true;
  if (end == std::string_view::npos) return stop(CsvFault::kOpenQuote);
  if (end + 1 < record_.size() && record_[end + 1] != separator_) {
    at_ = end + 1;
    return stop(CsvFault::kAfterQuote);
  }
  field.raw = record_.substr(begin, end - begin);
  go_behind(end + 1);
  return true;
}

bool CsvFields::next(CsvField& field) {
  if (!has_more_) return false;
  field = {};
  const bool opens = at_ < record_.size() && record_[at_] == '"';
  if (opens && !is_line_) return next_quoted(field);
  const size_t end = std::min(record_.find(separator_, at_), record_.size());
  field.raw = record_.substr(at_, end - at_);
  if (opens && is_quoted_whole(field.raw)) return next_quoted(field);
  go_behind(end);
  return true;
}

std::string_view csv_text(const CsvField& field, Arena& arena) {
  if (!field.has_doubled_quotes) return field.raw;
  char* const out = arena.reserve(field.raw.size());
  size_t size = 0;
  for (size_t i = 0; i < field.raw.size(); ++i) {
    out[size++] = field.raw[i];
    if (field.raw[i] == '"') ++i;  // the second of two
  }
  arena.use(size);
  return {out, size};
}

void append_csv_field(std::string& out, std::string_view text, const CsvDialect& dialect) {
  if (text.find_first_of("\"\r\n") == std::string_view::npos &&
      text.find(dialect.separator) == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace neardup::corpus
