#include "neardup/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "neardup/base/sizes.h"

namespace neardup::report {
namespace {

// Three significant digits, as few decimals as that takes; "1000" is left to the next unit by the callers.
std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

// A rate over less than this says more about the clock than about the work.
constexpr double kShortestSeconds = 1e-4;

double clean_seconds(double seconds) { return std::isfinite(seconds) && seconds > 0 ? seconds : 0; }

uint64_t per_second(uint64_t amount, double seconds) {
  double value = static_cast<double>(amount) / seconds;
  return value < 1.8e19 ? static_cast<uint64_t>(std::llround(std::min(value, 9.2e18))) : UINT64_MAX;
}

}  // namespace

std::string short_count(uint64_t value) {
  if (value < 1000) return std::to_string(value);
  constexpr std::array<const char*, 6> kUnits = {"k", "M", "G", "T", "P", "E"};
  double scaled = static_cast<double>(value) / 1000;
  size_t unit = 0;
  while (scaled >= 999.5 && unit + 1 < kUnits.size()) scaled /= 1000, ++unit;
  std::string digits = fmt::format("{:.{}f}", scaled, scaled < 9.95 ? 1 : 0);
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return digits + kUnits[unit];
}

std::string bytes(uint64_t value) {
  if (value < 1000) return fmt::format("{} B", value);
  constexpr std::array<const char*, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double scaled = static_cast<double>(value) / 1000;
  size_t unit = 0;
  while (scaled >= 999.5 && unit + 1 < kUnits.size()) scaled /= 1000, ++unit;
  return fmt::format("{} {}", three_digits(scaled), kUnits[unit]);
}

std::string percent(uint64_t part, uint64_t whole) {
  if (whole == 0 || part == 0) return "0 %";
  if (part == whole) return "100 %";
  double value = 100 * share(part, whole);
  if (value < 0.05) return "< 0.1 %";
  if (part < whole && value >= 99.95) return "> 99.9 %";
  return fmt::format("{:.1f} %", value);
}

std::string duration(double seconds) {
  double value = clean_seconds(seconds);
  if (value < 0.9995) return fmt::format("{:.3f} s", value);
  if (value < 59.95) return three_digits(value) + " s";
  auto whole = static_cast<uint64_t>(std::min(value + 0.5, 1.8e19));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  uint64_t minutes = whole / 60 + (whole % 60 >= 30 ? 1 : 0);
  return fmt::format("{} h {:02} min", human_count(minutes / 60), minutes % 60);
}

std::string rate(uint64_t amount, double seconds, const std::string& noun) {
  double value = clean_seconds(seconds);
  return value < kShortestSeconds ? "-" : human_count(per_second(amount, value)) + " " + noun + "/s";
}

std::string byte_rate(uint64_t amount, double seconds) {
  double value = clean_seconds(seconds);
  return value < kShortestSeconds ? "-" : bytes(per_second(amount, value)) + "/s";
}

std::string similarity(double value) {
  double clamped = std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0);
  if (clamped < 1) clamped = std::min(clamped, 0.99);
  return fmt::format("{:.2f}", clamped);
}

std::string counted(uint64_t count, const std::string& noun) {
  return human_count(count) + " " + noun + (count == 1 ? "" : "s");
}

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace neardup::report
