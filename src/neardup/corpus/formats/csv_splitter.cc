#include "neardup/corpus/formats/csv_splitter.h"

#include <algorithm>
#include <cstring>

namespace neardup::corpus {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

/// Offset of `wanted` in [from, end), or `end`.
size_t find_byte(std::string_view bytes, char wanted, size_t from, size_t end) {
  if (from >= end) return end;
  const void* found = std::memchr(bytes.data() + from, wanted, end - from);
  return found == nullptr ? end : static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
}

}  // namespace

void CsvSplitter::restart(size_t offset) {
  state_ = State::kOutside;
  looked_ = last_start_ = base_ = plain_begin_ = plain_end_ = offset;
  before_base_ = last_byte_ = '\n';
}

void CsvSplitter::forget() {
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

/// The first quote before `end` that begins a field, or `end`.
size_t CsvSplitter::next_opening(std::string_view bytes, size_t end) const {
  for (size_t at = looked_;; ++at) {
    at = find_byte(bytes, '"', at, end);
    if (at == end) return end;
    const char before = at == base_ ? before_base_ : bytes[at - 1];
    if (before == separator_ || before == '\n') return at;
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
  if (stop < line_end) state_ = State::kQuoted;
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

size_t CsvSplitter::find_end(std::string_view bytes, size_t least) {
  while (looked_ < bytes.size()) {
    if (state_ != State::kOutside) {
      look_inside(bytes);
    } else if (look_outside(bytes, least)) {
      return looked_;
    }
  }
  if (bytes.size() > base_) last_byte_ = bytes.back();
  return kNowhere;
}

}  // namespace neardup::corpus
