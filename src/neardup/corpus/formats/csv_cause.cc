#include "neardup/corpus/formats/csv_cause.h"

namespace neardup::corpus {
namespace {

constexpr const char* kOfQuotes = "; a backslash seems to escape a quote: --table escape=quote";
constexpr const char* kOfBackslashes =
    "; a backslash seems to escape what follows it, as Postgres, MySQL and ClickHouse write: --table escape=backslash";
constexpr const char* kOfSpaces = "; a space stands before a quote that seems to open a field: --table spaces=skip";
constexpr const char* kOfNoQuotes = "; if quotes are meant as characters: --table quotes=none";

/// Of a record of which nothing shows that a backslash escapes more than quotes both may be.
std::string of_escaped_quote(std::string_view record) {
  for (const std::string_view other : {"\\n", "\\t", "\\N", "\\r"})
    if (record.find(other) != std::string_view::npos) return kOfBackslashes;
  return std::string(kOfQuotes) + ", or escape=backslash where \\n is a line end, too";
}

bool has_escaped_separator(std::string_view record, const CsvDialect& dialect) {
  const std::string escaped = {'\\', dialect.separator};
  return record.find(escaped) != std::string_view::npos;
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
  const bool has_quotes = dialect.quotes != CsvQuotes::kNone, has_escapes = dialect.escape != CsvEscape::kNone;
  if (fault == CsvFault::kAfterQuote) {
    if (!has_escapes && at >= 2 && record[at - 2] == '\\') return of_escaped_quote(record);
    return std::string("; a quote inside is to be doubled, and nothing may stand behind the last one") + kOfNoQuotes;
  }
  if (!has_escapes && has_quotes && record.find("\\\"") != std::string_view::npos) return of_escaped_quote(record);
  if (!has_escapes && has_escaped_separator(record, dialect)) return kOfBackslashes;
  if (!dialect.skips_spaces && has_quotes && has_space_before_quote(record, dialect)) return kOfSpaces;
  if (fault == CsvFault::kOpenQuote || (has_quotes && record.find('\n') != std::string_view::npos)) return kOfNoQuotes;
  if (dialect.quotes == CsvQuotes::kWhole && has_plain_quote(record, dialect))
    return "; a quote opens a column and is a character, as it does not close before a tab or line end";
  return {};
}

}  // namespace neardup::corpus
