#include "neardup/corpus/formats/csv_cause.h"

#include <algorithm>

namespace neardup::corpus {
namespace {

/// Reads what `reader` says of csv.reader of Python, and writes it as RFC 4180 has it.
std::string convert(const CsvDialect& dialect, const std::string& reader) {
  const bool has_tabs = dialect.separator == '\t';
  const std::string delimiter = has_tabs ? ",delimiter=chr(9)" : "";
  return "convert it first: python3 -c \"import csv,sys; csv.field_size_limit(1<<30); csv.writer(sys.stdout" +
         delimiter + ").writerows(csv.reader(sys.stdin" + delimiter + "," + reader + "))\" < FILE > FILE." +
         (has_tabs ? "tsv" : "csv");
}

std::string of_backslashes(const CsvDialect& dialect) {
  return "; a backslash seems to escape what follows it, as Postgres, MySQL and ClickHouse write; " +
         convert(dialect, "doublequote=False,escapechar=chr(92)");
}

std::string of_spaces(const CsvDialect& dialect) {
  return "; a space stands before a quote that seems to open a field; " + convert(dialect, "skipinitialspace=True");
}

std::string of_no_quotes(const CsvDialect& dialect) {
  return "; if quotes are meant as characters, " + convert(dialect, "quoting=csv.QUOTE_NONE");
}

bool has_escape(std::string_view record, const CsvDialect& dialect) {
  const std::string escaped = {'\\', dialect.separator};
  return record.find("\\\"") != std::string_view::npos || record.find(escaped) != std::string_view::npos;
}

bool has_space_before_quote(std::string_view record, const CsvDialect& dialect) {
  for (size_t at = record.find(" \""); at != std::string_view::npos; at = record.find(" \"", at + 1)) {
    const size_t before = record.find_last_not_of(' ', at);
    if (before == std::string_view::npos || record[before] == dialect.separator) return true;
  }
  return false;
}

/// Whether a field begins with a quote that is a character.
bool has_plain_quote(std::string_view record, const CsvDialect& dialect) {
  CsvFields fields(record, dialect, 0);
  for (CsvField field; fields.next(field);)
    if (!field.is_quoted && field.raw.starts_with('"')) return true;
  return false;
}

}  // namespace

std::string csv_cause(std::string_view record, const CsvDialect& dialect, CsvFault fault, size_t at) {
  if (fault == CsvFault::kAfterQuote) {
    if (at >= 2 && record[at - 2] == '\\') return of_backslashes(dialect);
    return "; a quote inside is to be doubled, and nothing may stand behind the last one" + of_no_quotes(dialect);
  }
  if (has_escape(record, dialect)) return of_backslashes(dialect);
  if (has_space_before_quote(record, dialect)) return of_spaces(dialect);
  if (fault == CsvFault::kOpenQuote || record.find('\n') != std::string_view::npos) return of_no_quotes(dialect);
  if (dialect.quotes == CsvQuotes::kWhole && has_plain_quote(record, dialect))
    return "; a quote opens a column and is a character, as it does not close before a tab or line end";
  return {};
}

}  // namespace neardup::corpus
