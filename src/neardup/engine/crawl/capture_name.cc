#include "neardup/engine/crawl/capture_name.h"

#include <charconv>
#include <chrono>

namespace neardup::engine {
namespace {

constexpr std::string_view kPayloadMark = "payload ";

bool has_no_space(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') return false;
  return true;
}

bool looks_like_date(std::string_view text) {
  return text.empty() || (text.front() >= '0' && text.front() <= '9' && has_no_space(text));
}

// Takes `digits` digits and `end` behind them off the front; false where they are not there.
bool take_date_part(std::string_view& text, size_t digits, char end, int& value) {
  if (text.size() <= digits || text[digits] != end) return false;
  const auto [last, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc() || last != text.data() + digits || value < 0) return false;
  text.remove_prefix(digits + 1);
  return true;
}

}  // namespace

bool can_be_stored(std::string_view record, std::string_view date) {
  return !record.empty() && has_no_space(record) && looks_like_date(date);
}

std::string text_id(const CaptureName& name) { return name.record + ' ' + name.date + ' ' + name.uri; }

std::string payload_id(const CaptureName& name) { return std::string(kPayloadMark) + text_id(name); }

CaptureName name_of_id(std::string_view id) {
  if (id.starts_with(kPayloadMark)) id.remove_prefix(kPayloadMark.size());
  const size_t first = id.find(' ');
  const size_t second = first == std::string_view::npos ? first : id.find(' ', first + 1);
  if (second == std::string_view::npos) return {std::string(id), {}, {}};
  const std::string_view record = id.substr(0, first), date = id.substr(first + 1, second - first - 1);
  if (!can_be_stored(record, date)) return {std::string(id), {}, {}};
  return {std::string(record), std::string(date), std::string(id.substr(second + 1))};
}

int64_t seconds_of_date(std::string_view date) {
  using std::chrono::year, std::chrono::month, std::chrono::day;
  int y = 0, mon = 0, d = 0, h = 0, min = 0, s = 0;
  const char last = date.size() > 19 ? date[19] : ' ';
  if (last != 'Z' && last != '.') return 0;
  if (!take_date_part(date, 4, '-', y) || !take_date_part(date, 2, '-', mon) || !take_date_part(date, 2, 'T', d) ||
      !take_date_part(date, 2, ':', h) || !take_date_part(date, 2, ':', min) || !take_date_part(date, 2, last, s))
    return 0;
  const std::chrono::year_month_day on(year(y), month(static_cast<unsigned>(mon)), day(static_cast<unsigned>(d)));
  if (!on.ok() || h > 23 || min > 59 || s > 60) return 0;
  return std::chrono::sys_days(on).time_since_epoch().count() * int64_t{86400} + h * 3600 + min * 60 + s;
}

}  // namespace neardup::engine
