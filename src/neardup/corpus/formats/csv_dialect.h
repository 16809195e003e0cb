// How a table is written: what parts its columns, and what a quote means.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neardup::corpus {

/// Which quotes at the front of a field open it.
enum class CsvQuotes : uint8_t {
  kAuto,    // kDouble, or of a table parted by tabs kWhole
  kDouble,  // all of them; inside two stand for one (RFC 4180, section 2)
  kWhole,   // those that close before a separator or line end: most writers of TSV quote nothing (csv_whole.h)
};

struct CsvDialect {
  char separator = ',';
  CsvQuotes quotes = CsvQuotes::kDouble;  // not kAuto

  bool operator==(const CsvDialect&) const = default;
};

/// Returns the dialect of a table whose columns are parted by `separator`, where nothing more is said of it.
[[nodiscard]] constexpr CsvDialect dialect_of(char separator, CsvQuotes quotes = CsvQuotes::kAuto) {
  const CsvQuotes usual = separator == '\t' ? CsvQuotes::kWhole : CsvQuotes::kDouble;
  return {separator, quotes == CsvQuotes::kAuto ? usual : quotes};
}

}  // namespace neardup::corpus
