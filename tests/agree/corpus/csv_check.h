// Splitter and fields of CSV against the plain reader.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/corpus/formats/csv_row.h"
#include "neardup/corpus/formats/csv_splitter.h"
#include "tests/agree/corpus/plain_csv.h"

namespace neardup::corpus {

/// How a text is read: `num_columns` are those of its header row.
struct CsvCase {
  CsvDialect dialect;
  size_t num_columns = 0;
};

inline CsvSplitter splitter_of(const CsvCase& how) {
  CsvSplitter splitter(how.dialect);
  splitter.restart(0);
  splitter.set_columns(how.num_columns);
  return splitter;
}

inline std::vector<plain::CsvRecord> read_plain(std::string_view bytes, const CsvCase& how) {
  if (how.dialect.quotes == CsvQuotes::kWhole)
    return plain::read_whole_csv(bytes, how.dialect.separator, how.num_columns);
  const CsvDialect& dialect = how.dialect;
  if (dialect.quotes != CsvQuotes::kNone && !dialect.is_walked()) return plain::read_csv(bytes, dialect.separator);
  return plain::read_dialect_csv(bytes, {.separator = dialect.separator,
                                         .has_quotes = dialect.quotes != CsvQuotes::kNone,
                                         .escapes_all = dialect.escape == CsvEscape::kAll,
                                         .escapes_quote = dialect.escape == CsvEscape::kQuote,
                                         .skips_spaces = dialect.skips_spaces});
}

/// Offsets behind the record ends of `bytes`, found record by record.
inline std::vector<size_t> record_ends(std::string_view bytes, const CsvCase& how) {
  std::vector<size_t> ends;
  CsvSplitter splitter = splitter_of(how);
  for (size_t begin = 0; begin < bytes.size(); begin = ends.back())
    ends.push_back(std::min(splitter.find_end(bytes, begin + 1, true), bytes.size()));
  return ends;
}

/// The first record end at or behind `least`, with bytes that come `step` by step; npos where there is none.
inline size_t end_in_steps(std::string_view bytes, const CsvCase& how, size_t least, size_t step, bool forgets) {
  CsvSplitter splitter = splitter_of(how);
  size_t gone = 0;
  for (size_t size = step;; size += step) {
    const std::string_view there = bytes.substr(gone, size - gone);
    const size_t end = splitter.find_end(there, least > gone ? least - gone : 0, size >= bytes.size());
    if (end != std::string_view::npos) return gone + end;
    if (size >= bytes.size()) return end;
    if (!forgets) continue;
    splitter.forget();
    gone = size;
  }
}

/// Returns what differs, empty where all agrees.
inline std::string check_fields(std::string_view bytes, const plain::CsvRecord& expected, const CsvCase& how) {
  const std::string_view record = bytes.substr(expected.begin, expected.end - expected.begin);
  CsvFields fields(without_return(record), how.dialect, how.num_columns);
  Arena arena;
  std::vector<std::string> found;
  for (CsvField field; fields.next(field);) found.emplace_back(csv_text(field, arena));
  const bool is_open = fields.fault() == CsvFault::kOpenQuote, is_after = fields.fault() == CsvFault::kAfterQuote;
  if (is_open != expected.open_quote || is_after != expected.after_quote) return "another fault";
  if (fields.fault() == CsvFault::kNone && found != expected.fields) return "other fields";
  std::string again;
  for (const std::string& field : found) {
    if (!again.empty() || &field != found.data()) again += how.dialect.separator;
    append_csv_field(again, field, how.dialect);
  }
  const CsvCase as_many{how.dialect, found.size()};
  const bool is_lossy =
      how.dialect.quotes == CsvQuotes::kNone && (how.dialect.escape == CsvEscape::kNone || how.dialect.skips_spaces);
  if (is_lossy) return {};
  if (fields.fault() == CsvFault::kNone && !again.empty() && read_plain(again, as_many)[0].fields != found)
    return "written fields read otherwise";
  return {};
}

inline std::string check_csv(std::string_view bytes, const CsvCase& how) {
  const std::vector<plain::CsvRecord> records = read_plain(bytes, how);
  const std::vector<size_t> ends = record_ends(bytes, how);
  if (ends.size() != records.size()) return "another number of records";
  for (size_t i = 0; i < records.size(); ++i) {
    if (ends[i] != records[i].end + (records[i].has_line_end ? 1 : 0)) return "another record end";
    if (std::string wrong = check_fields(bytes, records[i], how); !wrong.empty()) return wrong;
  }
  for (size_t least = 0; least <= bytes.size(); ++least) {
    const auto is_it = [&](const plain::CsvRecord& r) { return r.has_line_end && r.end + 1 >= least; };
    const auto wanted = std::find_if(records.begin(), records.end(), is_it);
    const size_t expected = wanted == records.end() ? std::string_view::npos : wanted->end + 1;
    for (const size_t step : {1, 2, 3, 100})
      for (const bool forgets : {false, true}) {
        if (forgets && how.dialect.quotes == CsvQuotes::kWhole) continue;  // looks back to the start of its record
        if (end_in_steps(bytes, how, least, step, forgets) != expected) return "another end of a batch";
      }
  }
  return {};
}

}  // namespace neardup::corpus
