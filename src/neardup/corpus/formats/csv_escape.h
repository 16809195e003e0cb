// What a backslash of a table stands for.
#pragma once

#include "neardup/corpus/formats/csv_dialect.h"

namespace neardup::corpus {

/// Returns whether a backslash before `next` escapes it, where backslashes mean `escape`.
[[nodiscard]] constexpr bool escapes(CsvEscape escape, char next) {
  return escape == CsvEscape::kAll || (escape == CsvEscape::kQuote && (next == '"' || next == '\\'));
}

/// Returns what a backslash and `next` stand for. Requires: escapes(escape, next).
[[nodiscard]] constexpr char escaped_byte(CsvEscape escape, char next) {
  if (escape != CsvEscape::kAll) return next;
  switch (next) {
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'v':
      return '\v';
    case '0':
      return '\0';
    case 'Z':
      return '\x1A';
    default:
      return next;
  }
}

}  // namespace neardup::corpus
