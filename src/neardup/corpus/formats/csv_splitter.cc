#include "neardup/corpus/formats/csv_splitter.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "neardup/corpus/formats/csv_escape.h"
#include "neardup/corpus/formats/csv_whole.h"

namespace neardup::corpus {
namespace {

/// Offset of `wanted` in [from, end), or `end`.
size_t find_byte(std::string_view bytes, char wanted, size_t from, size_t end) {
  if (from >= end) return end;
  const void* found = std::memchr(bytes.data() + from, wanted, end - from);
  return found == nullptr ? end : static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
}

}  // namespace

void CsvSplitter::restart(size_t offset) {
  state_ = State::kOutside;
  is_escaping_ = false;
  looked_ = last_start_ = base_ = plain_begin_ = plain_end_ = offset;
  before_base_ = last_byte_ = '\n';
}

/// Of a record whose first bytes are gone nothing is known but that it is longer than kWhole lets one with line ends
/// be.
void CsvSplitter::forget() {
  if (dialect_.quotes == CsvQuotes::kWhole && last_byte_ != '\n') state_ = State::kInLine;
  looked_ = last_start_ = base_ = plain_begin_ = plain_end_ = 0;
  before_base_ = last_byte_;
}

/// The bytes up to a line end that comes late are not searched again for each quote before it.
size_t CsvSplitter::next_line_end(std::string_view bytes, size_t from) {
  const bool is_known = plain_begin_ <= from && from <= plain_end_;
  if (!is_known) plain_begin_ = plain_end_ = from;
  plain_end_ = find_byte(bytes, '\n', plain_end_, bytes.size());
  return plain_end_;
}

/// The first quote before `end` that opens a field, or `end`.
size_t CsvSplitter::next_opening(std::string_view bytes, size_t end) const {
  if (dialect_.quotes == CsvQuotes::kNone) return end;
  for (size_t at = looked_;; ++at) {
    at = find_byte(bytes, '"', at, end);
    if (at == end) return end;
    const char before = at == base_ ? before_base_ : bytes[at - 1];
    if (before == dialect_.separator || before == '\n') return at;
  }
}

/// Returns whether the record end was found; looked_ is behind it then.
bool CsvSplitter::look_outside(std::string_view bytes, size_t least) {
  const size_t line_end = next_line_end(bytes, std::max(looked_, least == 0 ? 0 : least - 1));
  const size_t stop = next_opening(bytes, line_end);
  const bool is_found = stop == line_end && line_end < bytes.size();
  const void* last = stop == looked_ ? nullptr : ::memrchr(bytes.data() + looked_, '\n', stop - looked_);
  if (last != nullptr) last_start_ = static_cast<size_t>(static_cast<const char*>(last) - bytes.data()) + 1;
  if (is_found) last_start_ = stop + 1;
  if (stop < line_end) state_ = dialect_.quotes == CsvQuotes::kWhole ? State::kUndecided : State::kQuoted;
  looked_ = std::min(stop + 1, bytes.size());
  return is_found;
}

void CsvSplitter::look_inside(std::string_view bytes) {
  if (state_ == State::kQuoted) {
    const size_t quote = find_byte(bytes, '"', looked_, bytes.size());
    if (quote < bytes.size()) state_ = State::kQuoteSeen;
    looked_ = std::min(quote + 1, bytes.size());
  } else if (bytes[looked_] == '"') {
    state_ = State::kQuoted;
    ++looked_;
  } else {
    state_ = State::kOutside;
  }
}

/// A record ends behind its line end at `end` - 1; returns whether it is the one that is wanted.
bool CsvSplitter::end_record(size_t end, size_t least) {
  state_ = State::kOutside;
  looked_ = last_start_ = end;
  return end >= least;
}

/// Of a record that is a line, whatever its quotes.
bool CsvSplitter::end_line(std::string_view bytes, size_t least) {
  const size_t line_end = find_byte(bytes, '\n', looked_, bytes.size());
  looked_ = line_end;
  return line_end < bytes.size() && end_record(line_end + 1, least);
}

/// Says how the record is read that begins at last_start_ and has a quote at the front of a field. What was not decided
/// is looked at again when twice as much is there.
bool CsvSplitter::decide(std::string_view bytes, size_t least, bool is_all) {
  const std::string_view there = bytes.substr(last_start_);
  const bool is_cut = there.size() > most_bytes_;
  looked_ = bytes.size();
  if (!is_all && !is_cut && there.size() < 2 * undecided_bytes_) return false;
  const CsvRest rest = is_cut ? CsvRest::kLeftOut : is_all ? CsvRest::kNone : CsvRest::kUnknown;
  const auto record = find_whole_record(there.substr(0, most_bytes_), dialect_.separator, num_columns_, rest);
  undecided_bytes_ = record ? 0 : there.size();
  if (!record) return false;
  if (record->takes_quotes && record->end < there.size()) return end_record(last_start_ + record->end + 1, least);
  state_ = State::kInLine;
  looked_ = record->takes_quotes ? bytes.size() : last_start_;
  return false;
}

/// Returns whether `c`, which is neither escaped nor in quotes, ends a record.
bool CsvSplitter::step_outside(char c) {
  if (c == '\n') return true;
  const bool is_front = state_ == State::kOutside;
  const bool opens = c == '"' && (state_ == State::kQuoteSeen || (is_front && dialect_.quotes != CsvQuotes::kNone));
  const bool is_still_front = c == dialect_.separator || (is_front && c == ' ' && dialect_.skips_spaces);
  state_ = opens ? State::kQuoted : is_still_front ? State::kOutside : State::kInLine;
  return false;
}

/// Returns whether `c` ends a record.
bool CsvSplitter::step(char c) {
  if (std::exchange(is_escaping_, false) && escapes(dialect_.escape, c)) return false;
  const bool is_quoted = state_ == State::kQuoted;
  is_escaping_ =
      c == '\\' && (dialect_.escape == CsvEscape::kAll || (is_quoted && dialect_.escape != CsvEscape::kNone));
  if (!is_quoted) return step_outside(c);
  if (c == '"') state_ = State::kQuoteSeen;
  return false;
}

/// Behind the bytes in the midst of a field that mean only themselves.
size_t CsvSplitter::skip_plain(std::string_view bytes) const {
  size_t at = looked_;
  if (is_escaping_ || (state_ != State::kQuoted && state_ != State::kInLine)) return at;
  const char ends = state_ == State::kQuoted ? '"' : dialect_.separator;
  const char also = state_ == State::kQuoted ? '"' : '\n';
  while (at < bytes.size() && bytes[at] != ends && bytes[at] != also && bytes[at] != '\\') ++at;
  return at;
}

/// Of a dialect in which each byte counts. Returns whether the record end was found; looked_ is behind it then.
bool CsvSplitter::walk(std::string_view bytes, size_t least) {
  while ((looked_ = skip_plain(bytes)) < bytes.size())
    if (step(bytes[looked_++]) && end_record(looked_, least)) return true;
  return false;
}

/// Returns whether the record end was found; looked_ is behind it then.
bool CsvSplitter::look(std::string_view bytes, size_t least, bool is_all) {
  if (dialect_.is_walked()) return walk(bytes, least);
  if (state_ == State::kOutside) return look_outside(bytes, least);
  if (state_ == State::kUndecided) return decide(bytes, least, is_all);
  if (state_ == State::kInLine) return end_line(bytes, least);
  look_inside(bytes);
  return false;
}

size_t CsvSplitter::find_end(std::string_view bytes, size_t least, bool is_all) {
  while (looked_ < bytes.size() || (is_all && state_ == State::kUndecided))
    if (look(bytes, least, is_all)) return looked_;
  if (bytes.size() > base_) last_byte_ = bytes.back();
  return std::string_view::npos;
}

}  // namespace neardup::corpus
