#include "neardup/corpus/formats/arc_line.h"

#include <algorithm>
#include <charconv>

#include "neardup/corpus/digits.h"

namespace neardup::corpus {
namespace {

constexpr uint64_t kMostArcLength = uint64_t{1} << 60;
constexpr size_t kMostArcFields = 8;  // behind the date, in version 2
constexpr size_t kDateDigits = 14;

/// Some writers leave out the seconds, others add parts of them.
bool is_arc_date(std::string_view text) {
  return (text.starts_with("19") || text.starts_with("20")) && text.size() >= 12 && text.size() <= 18 &&
         is_digits(text);
}

bool is_address(std::string_view text) {
  if (text == "-") return true;
  return text.find_first_of(".:") != std::string_view::npos &&
         text.find_first_not_of("0123456789abcdefABCDEF.:") == std::string_view::npos;
}

bool has_scheme(std::string_view uri) {
  const size_t end = uri.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
  return end != std::string_view::npos && end != 0 && uri[end] == ':';
}

/// Takes the last word of `text`, and the blank before it.
std::string_view take_last_word(std::string_view& text) {
  const size_t blank = text.rfind(' ');
  const std::string_view word = text.substr(blank == std::string_view::npos ? 0 : blank + 1);
  text = text.substr(0, blank == std::string_view::npos ? 0 : blank);
  return word;
}

std::optional<uint64_t> length_of(std::string_view digits) {
  uint64_t value = 0;
  if (!is_digits(digits)) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || value > kMostArcLength) return std::nullopt;
  return value;
}

/// The fields before the length. A URL may have blanks, so they are counted from the end.
bool read_arc_fields(std::string_view rest, ArcLine& line) {
  for (size_t i = 0; i < kMostArcFields && !rest.empty(); ++i) {
    line.type = take_last_word(rest);
    std::string_view before = rest;
    line.date = take_last_word(before);
    line.ip = take_last_word(before);
    line.uri = before;
    if (is_arc_date(line.date) && is_address(line.ip) && has_scheme(line.uri)) return true;
  }
  return false;
}

}  // namespace

std::optional<ArcLine> read_arc_line(std::string_view bytes) {
  const size_t end = bytes.substr(0, kMaxArcLineBytes).find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view rest = bytes.substr(0, end);
  while (rest.ends_with('\r')) rest.remove_suffix(1);
  ArcLine line;
  line.size = end + 1;
  const auto length = length_of(take_last_word(rest));
  if (!length) return std::nullopt;
  line.length = *length;
  if (read_arc_fields(rest, line)) {
    line.type = line.type.substr(0, line.type.find(';'));
    return line;
  }
  if (!rest.starts_with(kArcMark)) return std::nullopt;
  line.uri = rest.substr(0, rest.find(' '));  // some have no address and date
  line.ip = line.date = line.type = {};
  return line;
}

std::string warc_date_of(std::string_view arc_date) {
  if (arc_date.size() < kDateDigits || !is_digits(arc_date)) return std::string(arc_date);
  std::string date;
  for (size_t i = 0; i < kDateDigits; ++i) {
    if (i == 4 || i == 6) date += '-';
    if (i == 8) date += 'T';
    if (i == 10 || i == 12) date += ':';
    date += arc_date[i];
  }
  return date + 'Z';
}

}  // namespace neardup::corpus
