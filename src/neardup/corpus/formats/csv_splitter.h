// Where the records of CSV and TSV end: at a line end outside quotes.
#pragma once

#include <cstddef>
#include <string_view>

#include "neardup/corpus/formats/csv_dialect.h"

namespace neardup::corpus {

/// Looks at bytes once, in any number of pieces. A quote opens where a field begins (RFC 4180, section 2) and closes at
/// the next one that is not doubled; other quotes are characters like all others, and so is what stands between a
/// closing quote and the next separator. Cost: three searches of memchr over the bytes, however many quotes there are.
/// Under CsvQuotes::kWhole find_whole_record() says which quotes open a field. Backslashes that escape, and spaces that
/// are skipped, cost a look at each byte.
class CsvSplitter {
 public:
  /// `most_bytes`: under kWhole no record with line ends in it is longer.
  explicit CsvSplitter(const CsvDialect& dialect, size_t most_bytes = ~size_t{0})
      : dialect_(dialect), most_bytes_(most_bytes) {}

  /// The header row was read; until then it is looked for.
  void set_columns(size_t num_columns) { num_columns_ = num_columns; }

  /// A record begins at `offset` of the bytes that find_end() will be given.
  void restart(size_t offset);
  /// All that was looked at is gone: find_end() will be given the bytes behind it.
  void forget();
  /// Returns the offset behind the first record end at or after `least` (of the offset behind it); npos where `bytes`,
  /// which begin with those of the last call, do not reach so far. `least` may not shrink from call to call. `is_all`:
  /// nothing follows `bytes`.
  [[nodiscard]] size_t find_end(std::string_view bytes, size_t least, bool is_all = false);
  /// Returns whether a quote is open behind what was looked at.
  [[nodiscard]] bool is_quoted() const { return state_ == State::kQuoted; }
  /// Returns where the record begins of which no end was found.
  [[nodiscard]] size_t last_start() const { return last_start_; }

 private:
  enum class State { kOutside, kQuoted, kQuoteSeen, kUndecided, kInLine };

  bool look(std::string_view bytes, size_t least, bool is_all);
  bool walk(std::string_view bytes, size_t least);
  [[nodiscard]] size_t skip_plain(std::string_view bytes) const;
  bool step(char c);
  bool step_outside(char c);
  bool look_outside(std::string_view bytes, size_t least);
  void look_inside(std::string_view bytes);
  bool end_line(std::string_view bytes, size_t least);
  bool decide(std::string_view bytes, size_t least, bool is_all);
  bool end_record(size_t end, size_t least);
  size_t next_line_end(std::string_view bytes, size_t from);
  [[nodiscard]] size_t next_opening(std::string_view bytes, size_t end) const;

  const CsvDialect dialect_;
  const size_t most_bytes_;
  size_t num_columns_ = 0;
  size_t undecided_bytes_ = 0;     // of a record of which so many bytes did not tell how it is read
  State state_ = State::kOutside;  // of walk(): at the front of a field; kInLine: behind it
  bool is_escaping_ = false;       // the last byte is a backslash that may escape the next one
  size_t looked_ = 0;              // up to here
  size_t last_start_ = 0;          // may stay behind where find_end() finds ends before `least`
  size_t base_ = 0;                // what is before it is not there
  char before_base_ = '\n';
  char last_byte_ = '\n';                   // of the bytes that were looked at to their end
  size_t plain_begin_ = 0, plain_end_ = 0;  // between these there is no line end
};

}  // namespace neardup::corpus
