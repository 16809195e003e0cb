#include "neardup/cluster/json_scalar.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace neardup::cluster {
namespace {

std::optional<uint32_t> four_hex_digits(std::string_view text) {
  uint32_t value = 0;
  if (text.size() < 4 || text[0] == '-') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
  if (error != std::errc() || end != text.data() + 4) return std::nullopt;
  return value;
}

void append_utf8(std::string& out, uint32_t code) {
  const auto continuation = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    continuation(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    continuation(6);
    continuation(0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

// Reads what follows a backslash and u, with the second half of a surrogate pair. Returns the bytes used, 0 if invalid.
size_t append_unicode_escape(std::string& out, std::string_view digits) {
  const auto first = four_hex_digits(digits);
  if (!first) return 0;
  if (*first < 0xd800 || *first > 0xdfff) {
    append_utf8(out, *first);
    return 4;
  }
  if (*first >= 0xdc00 || digits.substr(4, 2) != "\\u") return 0;
  const auto second = four_hex_digits(digits.substr(6));
  if (!second || *second < 0xdc00 || *second > 0xdfff) return 0;
  append_utf8(out, 0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00));
  return 10;
}

// Reads the escape whose letter is text[0]. Returns the bytes used, 0 if invalid.
size_t append_escape(std::string& out, std::string_view text) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  if (text.empty()) return 0;
  if (text[0] == 'u') {
    const size_t used = append_unicode_escape(out, text.substr(1));
    return used == 0 ? 0 : used + 1;
  }
  const size_t letter = kLetters.find(text[0]);
  if (letter == std::string_view::npos) return 0;
  out += kMeanings[letter];
  return 1;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads digits from the front of a text.
class Digits {
 public:
  explicit Digits(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool starts_with(char c) const { return rest_.starts_with(c); }

  bool skip(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_[0]) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Reads exactly `count` digits into `value`, which must be at most `most`.
  bool number(size_t count, int most, int& value) {
    if (rest_.size() < count) return false;
    value = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!is_digit(rest_[i])) return false;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return value <= most;
  }

  // Reads the digits after a decimal point; there must be one.
  bool fraction(double& value) {
    size_t count = 0;
    double scale = 0.1;
    for (; count < rest_.size() && is_digit(rest_[count]); ++count, scale /= 10) value += (rest_[count] - '0') * scale;
    rest_.remove_prefix(count);
    return count > 0;
  }

 private:
  std::string_view rest_;
};

// Days from 1970-01-01 in the Gregorian calendar; see Howard Hinnant, chrono-Compatible Low-Level Date Algorithms.
int64_t days_from_civil(int year, int month, int day) {
  const int64_t y = month <= 2 ? year - 1 : year;
  const int64_t era = (y >= 0 ? y : y - 399) / 400;
  const int64_t year_of_era = y - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

int days_in_month(int year, int month) {
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (month == 2) return leap ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Reads "+hh", "+hhmm" or "+hh:mm" into seconds; the sign is next.
bool read_offset(Digits& digits, double& seconds) {
  const bool negative = digits.starts_with('-');
  int hours = 0, minutes = 0;
  if (!digits.skip("+-") || !digits.number(2, 23, hours)) return false;
  if (!digits.at_end()) {
    digits.skip(":");
    if (!digits.number(2, 59, minutes)) return false;
  }
  seconds = (negative ? -1 : 1) * (hours * 3600 + minutes * 60);
  return true;
}

// Reads "hh:mm[:ss[.fraction]][zone]" into seconds of the day in UTC.
bool read_time(Digits& digits, double& seconds) {
  int hours = 0, minutes = 0, whole = 0;
  double fraction = 0, offset = 0;
  if (!digits.number(2, 24, hours) || !digits.skip(":") || !digits.number(2, 59, minutes)) return false;
  if (digits.skip(":")) {
    if (!digits.number(2, 60, whole)) return false;
    if (digits.skip(".,") && !digits.fraction(fraction)) return false;
  }
  if (!digits.skip("Zz") && !digits.at_end() && !read_offset(digits, offset)) return false;
  seconds = hours * 3600 + minutes * 60 + whole + fraction - offset;
  return true;
}

}  // namespace

std::string json_text(std::string_view raw) {
  if (raw.size() < 2 || raw.front() != '"' || raw.back() != '"') return std::string(raw);
  raw = raw.substr(1, raw.size() - 2);
  std::string text;
  for (size_t i = 0; i < raw.size(); ++i) {
    const size_t used = raw[i] == '\\' ? append_escape(text, raw.substr(i + 1)) : 0;
    if (used == 0) text += raw[i];
    i += used;
  }
  return text;
}

std::optional<double> json_number(std::string_view raw) {
  if (raw == "true") return 1;
  if (raw == "false") return 0;
  const std::string text = json_text(raw);
  if (text.empty() || (!is_digit(text[0]) && text[0] != '-')) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  return iso_seconds(text);
}

std::optional<double> iso_seconds(std::string_view text) {
  Digits digits(text);
  int year = 0, month = 0, day = 1;
  double seconds = 0;
  if (!digits.number(4, 9999, year) || !digits.skip("-") || !digits.number(2, 12, month)) return std::nullopt;
  if (!digits.at_end()) {
    if (!digits.skip("-") || !digits.number(2, 31, day)) return std::nullopt;
    if (digits.skip("Tt ") && !read_time(digits, seconds)) return std::nullopt;
  }
  if (!digits.at_end() || month < 1 || day < 1 || day > days_in_month(year, month)) return std::nullopt;
  return static_cast<double>(days_from_civil(year, month, day)) * 86400 + seconds;
}

}  // namespace neardup::cluster
