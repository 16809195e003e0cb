// The fields of one record of CSV or TSV.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "neardup/corpus/formats/csv_dialect.h"
#include "neardup/corpus/raw_buffer.h"

namespace neardup::corpus {

/// A field as it stands: what is between its quotes where it has some, doubled ones, backslashes and all.
struct CsvField {
  std::string_view raw;
  bool is_quoted = false;
  bool has_doubled_quotes = false;
  CsvEscape escape = CsvEscape::kNone;  // what its backslashes are; kNone where it has none

  /// Whether it is the null of databases.
  [[nodiscard]] bool is_null() const { return !is_quoted && escape == CsvEscape::kAll && raw == "\\N"; }
};

/// What is wrong with a record; RFC 4180 allows none of it.
enum class CsvFault {
  kNone,
  kOpenQuote,   // a quoted field does not end
  kAfterQuote,  // something stands between a closing quote and the next separator
};

/// Walks over the fields of `record`, which has no line end. A record without a byte has one, empty field.
class CsvFields {
 public:
  /// `num_columns`: of the header row, 0 for that row itself.
  CsvFields(std::string_view record, const CsvDialect& dialect, size_t num_columns);

  /// Returns whether there is one more field, and sets it; false at the end and at a fault.
  bool next(CsvField& field);
  [[nodiscard]] CsvFault fault() const { return fault_; }
  /// Where the next field begins.
  [[nodiscard]] size_t at() const { return at_; }
  /// What stands behind the closing quote at fault. Requires: fault() is kAfterQuote.
  [[nodiscard]] std::string_view rest() const { return record_.substr(at_); }

 private:
  bool next_quoted(CsvField& field);
  bool next_plain(CsvField& field);
  /// Where the first `ends` from `from` on stands that no backslash escapes, or the end of the record.
  size_t find_end(char ends, size_t from, CsvEscape escape, CsvField& field) const;
  bool stop(CsvFault fault);
  void go_behind(size_t end);

  const std::string_view record_;
  const CsvDialect dialect_;
  const bool is_line_;  // quotes are characters but where they hold a field whole
  size_t at_ = 0;
  bool has_more_ = true;
  CsvFault fault_ = CsvFault::kNone;
};

/// Returns the text that `field` stands for: a view of it, or of `arena`; nothing of a null.
[[nodiscard]] std::string_view csv_text(const CsvField& field, Arena& arena);

/// Appends a field that reads as `text` to `out`, quoted or escaped where it must be. Where the dialect has neither
/// quotes nor escapes a space stands for what would end the field.
void append_csv_field(std::string& out, std::string_view text, const CsvDialect& dialect);

/// Returns `record` without the \r of a line end \r\n.
[[nodiscard]] inline std::string_view without_return(std::string_view record) {
  return record.ends_with('\r') ? record.substr(0, record.size() - 1) : record;
}

}  // namespace neardup::corpus
