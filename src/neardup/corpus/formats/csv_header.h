// The header row of a CSV or TSV file: what its columns are called.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/corpus/formats/csv_dialect.h"
#include "neardup/corpus/formats/json_line.h"
#include "neardup/corpus/formats/lines.h"

namespace neardup::corpus {

inline constexpr size_t kNoColumn = ~size_t{0};

struct CsvHeader {
  CsvDialect dialect;                                 // in which it was read
  std::string bytes;                                  // as it stands, with what is before it, without its \n
  size_t row_begin = 0;                               // of the row in `bytes`
  size_t num_columns = 0;                             // at least 1
  std::array<size_t, kWithinField + 1> columns = {};  // of each WantedField, or kNoColumn
  std::vector<size_t> text_columns;                   // of each path of a TextKey that is no column; empty: it is one
  std::string shown_names;                            // "'id', 'body'", for messages
  uint64_t num_lines = 0;                             // lines of `bytes`
  bool has_notes = false;                             // the last two columns are those of an annotation
  bool looks_like_data = false;                       // a name is a number, or as long as a text
  char other_separator = 0;                           // where there is one column: what seems to part it; 0: nothing
};

/// Reads the names of columns in `record`, a header row without its line end, and finds those that `options` name; of
/// columns with one name the first counts. Errors: kCorruption, saying what is wrong with the row; kInvalidArgument:
/// TextKey::parse().
[[nodiscard]] Result<CsvHeader> parse_csv_header(std::string_view record, const CsvDialect& dialect,
                                                 const ReadOptions& options);

/// Returns the names of the first columns of a file that begins with `head`, as CsvHeader::shown_names; "no fields"
/// where its header row cannot be read.
[[nodiscard]] std::string csv_column_names(std::string_view head, const CsvDialect& dialect);

/// The columns of an annotation.
inline constexpr std::string_view kDuplicateOfColumn = "neardup_duplicate_of", kClusterColumn = "neardup_cluster";

/// Returns `row`, that of `header` or one below it without a line end, without its last two fields.
[[nodiscard]] std::string_view without_notes(std::string_view row, const CsvHeader& header);

/// Returns the message of a record below `header` that has `num_fields` fields, which is wrong.
[[nodiscard]] std::string wrong_columns_message(const CsvHeader& header, size_t num_fields);

/// Returns the missing_text message of a record below `header`. `what`: "no column 'text'".
[[nodiscard]] std::string missing_column_message(const CsvHeader& header, const std::string& what);

}  // namespace neardup::corpus
