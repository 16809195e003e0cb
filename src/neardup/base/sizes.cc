#include "neardup/base/sizes.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "neardup/base/trim.h"

namespace neardup {
namespace {

/// Returns the power of the unit's first letter, -1 if it is none.
int unit_power(std::string_view unit, std::string_view letters) {
  if (unit.empty()) return 0;
  const size_t at = letters.find(static_cast<char>(unit[0] & ~0x20));
  return at == std::string_view::npos ? -1 : static_cast<int>(at) + 1;
}

/// Reads a number and a unit; false where there is no number or the value is no whole count below 2^63.
bool split_number(std::string_view text, double& number, std::string_view& unit) {
  text = trim_blanks(text, " ");
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  unit = trim_blanks(text.substr(static_cast<size_t>(end - text.data())), " ");
  return error == std::errc() && std::isfinite(number) && number >= 0;
}

bool is_byte_suffix(std::string_view suffix) {
  return suffix.empty() || suffix == "B" || suffix == "b" || suffix == "iB" || suffix == "ib";
}

Result<uint64_t> scaled(double number, double unit, std::string_view text) {
  const double value = number * unit;
  if (value >= 9.2e18) return fail(Code::kInvalidArgument, fmt::format("\"{}\" is too large", text));
  return static_cast<uint64_t>(std::llround(value));
}

}  // namespace

Result<uint64_t> parse_size(std::string_view text) {
  double number = 0;
  std::string_view unit;
  const bool has_number = split_number(text, number, unit);
  const bool bytes = unit == "B" || unit == "b";
  const int power = bytes ? 0 : unit_power(unit, "KMGT");
  if (!has_number || power < 0 || (power > 0 && !is_byte_suffix(unit.substr(1)))) {
    return fail(Code::kInvalidArgument, fmt::format("expected a size such as 512M or 4G, found \"{}\"", text));
  }
  return scaled(number, std::pow(1024.0, power), text);
}

Result<uint64_t> parse_count(std::string_view text) {
  double number = 0;
  std::string_view unit;
  const bool has_number = split_number(text, number, unit);
  const int power = unit_power(unit, "KMG");
  if (!has_number || power < 0 || unit.size() > 1) {
    return fail(Code::kInvalidArgument, fmt::format("expected a number such as 1000, 10M or 1e8, found \"{}\"", text));
  }
  return scaled(number, std::pow(1000.0, power), text);
}

Result<int64_t> parse_whole(std::string_view text, int64_t least, int64_t most) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most) return value;
  const std::string range =
      most == INT64_MAX || most == INT32_MAX ? fmt::format("{} or more", least) : fmt::format("{} to {}", least, most);
  return fail(Code::kInvalidArgument, fmt::format("expected a whole number, {}, found \"{}\"", range, text));
}

Result<double> parse_share(std::string_view text) {
  double share = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (error == std::errc() && end == text.data() + text.size() && share >= 0 && share <= 1) return share;
  return fail(Code::kInvalidArgument, fmt::format("expected a number from 0 to 1, found \"{}\"", text));
}

Status check_share(std::string_view what, double share) {
  if (share >= 0 && share <= 1) return {};
  return fail(Code::kInvalidArgument, fmt::format("{} is a number from 0 to 1, not {}", what, share));
}

std::string size_text(uint64_t bytes) {
  constexpr std::string_view kUnits = "TGMK";
  for (size_t i = 0; i < kUnits.size(); ++i) {
    const uint64_t unit = uint64_t{1} << (10 * (4 - i));
    if (bytes >= unit && bytes % unit == 0) return fmt::format("{}{}", bytes / unit, kUnits[i]);
  }
  return std::to_string(bytes);
}

std::string human_bytes(double bytes) {
  constexpr std::array<const char*, 6> kUnits = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  for (; unit + 1 < kUnits.size() && bytes >= 999.5; ++unit) bytes /= 1000;
  const int digits = unit == 0 || bytes >= 99.95 ? 0 : 1;
  return fmt::format("{:.{}f} {}", bytes, digits, kUnits[unit]);
}

std::string human_count(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string human_seconds(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  const uint64_t minutes = (whole + 30) / 60;
  if (minutes < 48 * 60) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
  return fmt::format("{} days {} h", minutes / 1440, minutes % 1440 / 60);
}

}  // namespace neardup
