// How a table is written: what parts its columns, what a quote means, and what a backslash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::corpus {

/// Which quotes at the front of a field open it.
enum class CsvQuotes : uint8_t {
  kAuto,    // kDouble, or of a table parted by tabs of which nothing else is said kWhole
  kNone,    // none: all are characters
  kDouble,  // all of them; inside two stand for one (RFC 4180, section 2)
  kWhole,   // those that close before a separator or line end: most writers of TSV quote nothing (csv_whole.h)
};

/// What a backslash stands for.
enum class CsvEscape : uint8_t {
  kNone,   // itself
  kAll,    // \t \n \r \b \f \v \0 \Z: what COPY of Postgres, MySQL and ClickHouse mean by it; before any other byte, a
           // separator and a line end too, that byte; a field \N without quotes is null
  kQuote,  // in a quoted field: before a quote or a backslash that one, else itself, as Spark writes
};

/// Said of tables in general, nothing of it need be set; of one table, by dialect_of(), all of it is.
struct CsvDialect {
  char separator = 0;  // 0: that of the format
  CsvQuotes quotes = CsvQuotes::kAuto;
  CsvEscape escape = CsvEscape::kNone;
  bool skips_spaces = false;  // before a field, so that a quote behind them opens it

  bool operator==(const CsvDialect&) const = default;
  /// Whether each byte counts, and not only separators, quotes and line ends.
  [[nodiscard]] constexpr bool is_walked() const { return escape != CsvEscape::kNone || skips_spaces; }
};

/// Returns the dialect of a table whose columns are parted by `separator`, where `said` tells nothing else.
[[nodiscard]] constexpr CsvDialect dialect_of(char separator, CsvDialect said = {}) {
  if (said.separator == 0) said.separator = separator;
  const CsvQuotes usual = said.escape == CsvEscape::kAll && said.separator == '\t' ? CsvQuotes::kNone
                          : said.separator == '\t' && !said.is_walked()            ? CsvQuotes::kWhole
                                                                                   : CsvQuotes::kDouble;
  if (said.quotes == CsvQuotes::kAuto) said.quotes = usual;
  return said;
}
[[nodiscard]] constexpr CsvDialect dialect_of(char separator, CsvQuotes quotes) {
  return dialect_of(separator, CsvDialect{.quotes = quotes});
}

/// Returns what `typed` says: "separator=;,quotes=none,escape=backslash,spaces=skip", each of them at most once, or
/// nothing. Errors: kInvalidArgument: other words, or such as contradict each other.
[[nodiscard]] Result<CsvDialect> parse_dialect(std::string_view typed);

/// Returns the words that say `dialect`, for parse_dialect(); empty where nothing is said.
[[nodiscard]] std::string dialect_words(const CsvDialect& dialect);

}  // namespace neardup::corpus
