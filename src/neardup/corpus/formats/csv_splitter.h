// Where the records of CSV and TSV end: at a line end outside quotes.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::corpus {

/// Looks at bytes once, in any number of pieces. A quote opens where a field begins (RFC 4180, section 2) and closes at
/// the next one that is not doubled; other quotes are characters like all others, and so is what stands between a
/// closing quote and the next separator. Cost: three searches of memchr over the bytes, however many quotes there are.
class CsvSplitter {
 public:
  explicit CsvSplitter(char separator) : separator_(separator) {}

  /// A record begins at `offset` of the bytes that find_end() will be given.
  void restart(size_t offset);
  /// All that was looked at is gone: find_end() will be given the bytes behind it.
  void forget();
  /// Returns the offset behind the first record end at or after `least` (of the offset behind it); npos where `bytes`,
  /// which begin with those of the last call, do not reach so far. `least` may not shrink from call to call.
  [[nodiscard]] size_t find_end(std::string_view bytes, size_t least);
  /// Returns whether a quote is open behind what was looked at.
  [[nodiscard]] bool is_quoted() const { return state_ == State::kQuoted; }
  /// Returns where the record begins of which no end was found.
  [[nodiscard]] size_t last_start() const { return last_start_; }

 private:
  enum class State { kOutside, kQuoted, kQuoteSeen };

  bool look_outside(std::string_view bytes, size_t least);
  void look_inside(std::string_view bytes);
  size_t next_line_end(std::string_view bytes, size_t from);
  [[nodiscard]] size_t next_opening(std::string_view bytes, size_t end) const;

  const char separator_;
  State state_ = State::kOutside;
  size_t looked_ = 0;      // up to here
  size_t last_start_ = 0;  // may stay behind where find_end() finds ends before `least`
  size_t base_ = 0;        // what is before it is not there
  char before_base_ = '\n';
  char last_byte_ = '\n';                   // of the bytes that were looked at to their end
  size_t plain_begin_ = 0, plain_end_ = 0;  // between these there is no line end
};

}  // namespace neardup::corpus
