// Quotes of tables whose writers quote nothing, or do so only where it is needed, as with TSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace neardup::corpus {

/// What is known of the bytes behind those that are there.
enum class CsvRest : uint8_t {
  kUnknown,  // more may come
  kNone,     // they are all
  kLineEnd,  // they are all of a record, whose line end comes next
  kLeftOut,  // there are some, and they are not looked at
};

/// How a record is read under CsvQuotes::kWhole.
struct WholeRecord {
  size_t end = 0;             // where its line end stands, or the end of the bytes
  bool takes_quotes = false;  // separators and line ends stand between its quotes (RFC 4180); else it is a line, whose
                              // quotes are characters but where they hold a field whole
};

/// Returns how the record at the front of `bytes` is read, below a header row with `num_columns` columns, or as that
/// row itself where this is 0; nothing where that depends on bytes that are still to come.
///
/// A line with the right number of columns is a record, whatever its quotes. Only where it is none, or is followed by
/// lines that are none, may quotes hold separators and line ends: if they give the right number of columns, and no line
/// that lies between is a record, nor both the first and the last. So no quote joins lines that are records, whatever
/// stands in their columns: a text of such lines is read as them.
/// Cost: each byte up to the next quote that opens a field, or the end of the record, is looked at a few times.
[[nodiscard]] std::optional<WholeRecord> find_whole_record(std::string_view bytes, char separator, size_t num_columns,
                                                           CsvRest rest);

/// Returns whether `field` stands in quotes from end to end, all quotes inside doubled.
[[nodiscard]] bool is_quoted_whole(std::string_view field);

}  // namespace neardup::corpus
