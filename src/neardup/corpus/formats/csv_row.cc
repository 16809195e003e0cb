#include "neardup/corpus/formats/csv_row.h"

#include <algorithm>

#include "neardup/corpus/formats/csv_escape.h"
#include "neardup/corpus/formats/csv_whole.h"

namespace neardup::corpus {
namespace {

bool is_line(std::string_view record, const CsvDialect& dialect, size_t num_columns) {
  return dialect.quotes == CsvQuotes::kWhole && record.find('"') != std::string_view::npos &&
         !find_whole_record(record, dialect.separator, num_columns, CsvRest::kLineEnd)->takes_quotes;
}

/// Appends a byte of a field that is not written as it stands.
void append_in_field(std::string& out, char c, bool in_quotes, const CsvDialect& dialect) {
  const bool is_escape = dialect.escape != CsvEscape::kNone;
  const bool ends_field = !in_quotes && (c == '\r' || c == '\n' || c == dialect.separator);
  if (c == '"' && in_quotes) {
    out += is_escape ? "\\\"" : "\"\"";
  } else if (c == '\\' && is_escape) {
    out += "\\\\";
  } else if (!ends_field) {
    out += c;
  } else if (is_escape) {
    out += '\\';
    out += c == '\r' ? 'r' : c == '\n' ? 'n' : c == '\t' ? 't' : c;
  } else {
    out += ' ';
  }
}

}  // namespace

CsvFields::CsvFields(std::string_view record, const CsvDialect& dialect, size_t num_columns)
    : record_(record), dialect_(dialect), is_line_(is_line(record, dialect, num_columns)) {}

bool CsvFields::stop(CsvFault fault) {
  fault_ = fault;
  has_more_ = false;
  return false;
}

void CsvFields::go_behind(size_t end) {
  has_more_ = end < record_.size();
  at_ = end + 1;
}

size_t CsvFields::find_end(char ends, size_t from, CsvEscape escape, CsvField& field) const {
  if (escape == CsvEscape::kNone) return std::min(record_.find(ends, from), record_.size());
  for (size_t at = from; at < record_.size(); ++at) {
    if (record_[at] == ends) return at;
    if (record_[at] != '\\' || at + 1 == record_.size() || !escapes(escape, record_[at + 1])) continue;
    field.escape = escape;
    ++at;
  }
  return record_.size();
}

bool CsvFields::next_quoted(CsvField& field) {
  const size_t begin = at_ + 1;
  field.is_quoted = true;
  size_t end = find_end('"', begin, dialect_.escape, field);
  for (; record_.substr(end).starts_with("\"\""); end = find_end('"', end + 2, dialect_.escape, field))
    field.has_doubled_quotes = true;
  if (end == record_.size()) return stop(CsvFault::kOpenQuote);
  if (end + 1 < record_.size() && record_[end + 1] != dialect_.separator) {
    at_ = end + 1;
    return stop(CsvFault::kAfterQuote);
  }
  field.raw = record_.substr(begin, end - begin);
  go_behind(end + 1);
  return true;
}

bool CsvFields::next_plain(CsvField& field) {
  const bool is_escaped = dialect_.escape == CsvEscape::kAll;
  const size_t end = find_end(dialect_.separator, at_, is_escaped ? CsvEscape::kAll : CsvEscape::kNone, field);
  field.raw = record_.substr(at_, end - at_);
  if (is_line_ && is_quoted_whole(field.raw)) return next_quoted(field);
  go_behind(end);
  return true;
}

bool CsvFields::next(CsvField& field) {
  if (!has_more_) return false;
  field = {};
  if (dialect_.skips_spaces) at_ = std::min(record_.find_first_not_of(' ', at_), record_.size());
  const bool takes_quotes = dialect_.quotes != CsvQuotes::kNone && !is_line_;
  return takes_quotes && record_.substr(std::min(at_, record_.size())).starts_with('"') ? next_quoted(field)
                                                                                        : next_plain(field);
}

std::string_view csv_text(const CsvField& field, Arena& arena) {
  if (field.is_null()) return {};
  if (!field.has_doubled_quotes && field.escape == CsvEscape::kNone) return field.raw;
  const std::string_view raw = field.raw;
  char* const out = arena.reserve(raw.size());
  size_t size = 0;
  for (size_t i = 0; i < raw.size(); ++i) {
    const bool is_escape = raw[i] == '\\' && i + 1 < raw.size() && escapes(field.escape, raw[i + 1]);
    out[size++] = is_escape ? escaped_byte(field.escape, raw[i + 1]) : raw[i];
    if (is_escape || (field.has_doubled_quotes && raw[i] == '"')) ++i;  // the second of two
  }
  arena.use(size);
  return {out, size};
}

void append_csv_field(std::string& out, std::string_view text, const CsvDialect& dialect) {
  const bool has_quotes = dialect.quotes != CsvQuotes::kNone;
  const std::string special =
      std::string(has_quotes ? "\"\r\n" : "\r\n") + dialect.separator + (dialect.escape == CsvEscape::kAll ? "\\" : "");
  const bool is_plain =
      text.find_first_of(special) == std::string_view::npos && !(dialect.skips_spaces && text.starts_with(' '));
  if (is_plain) {
    out += text;
    return;
  }
  if (has_quotes) out += '"';
  for (const char c : text) append_in_field(out, c, has_quotes, dialect);
  if (has_quotes) out += '"';
}

}  // namespace neardup::corpus
