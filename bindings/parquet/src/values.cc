#include "values.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

namespace neardup::parquet_module {
namespace {

using ::parquet::LogicalType;

constexpr int64_t kSecondsOfDay = 86400;
constexpr int32_t kJulianDayOfEpoch = 2440588;
constexpr size_t kMostDecimalBytes = 32;  // 76 digits
constexpr int kMostDecimalDigits = 76;
constexpr std::string_view kHexDigits = "0123456789abcdef";

/// What std::chrono's calendar reaches: about 30,000 years.
bool is_calendar_day(int64_t days) { return days > -11000000 && days < 11000000; }

int64_t floor_divide(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

std::string padded(int64_t value, size_t digits) {
  std::string text = std::to_string(value);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::string date_text(int64_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  return padded(static_cast<int>(date.year()), 4) + "-" + padded(static_cast<unsigned>(date.month()), 2) + "-" +
         padded(static_cast<unsigned>(date.day()), 2);
}

/// `units` since midnight.
std::string time_text(int64_t units, int64_t units_per_second) {
  const int64_t seconds = units / units_per_second;
  std::string text = padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2);
  const size_t digits = units_per_second == 1000 ? 3 : units_per_second == 1000000 ? 6 : 9;
  return text + "." + padded(units % units_per_second, digits);
}

int64_t units_of(LogicalType::TimeUnit::unit unit) {
  return unit == LogicalType::TimeUnit::MILLIS ? 1000 : unit == LogicalType::TimeUnit::MICROS ? 1000000 : 1000000000;
}

/// Divides the big-endian `number` by 10; returns the rest.
int divide_by_ten(std::string& number) {
  int rest = 0;
  for (char& byte : number) {
    const int value = rest * 256 + static_cast<uint8_t>(byte);
    byte = static_cast<char>(value / 10);
    rest = value % 10;
  }
  return rest;
}

void negate(std::string& number) {
  for (char& byte : number) byte = static_cast<char>(~byte);
  for (size_t i = number.size(); i-- > 0 && ++number[i] == 0;) {
  }
}

/// Of a two's complement number, the first byte first.
std::string decimal_text(std::string number, int scale) {
  const bool is_negative = (number[0] & 0x80) != 0;
  if (is_negative) negate(number);
  std::string digits;
  while (number.find_first_not_of('\0') != std::string::npos) digits += static_cast<char>('0' + divide_by_ten(number));
  while (static_cast<int>(digits.size()) <= scale) digits += '0';
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - static_cast<size_t>(scale), ".");
  return (is_negative ? "-" : "") + digits;
}

std::string big_endian(int64_t value) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(static_cast<uint64_t>(value) >> shift);
  return bytes;
}

std::string hex_text(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += kHexDigits[static_cast<uint8_t>(c) >> 4];
    text += kHexDigits[static_cast<uint8_t>(c) & 15];
  }
  return text;
}

/// Of IEEE 754's binary16, little-endian.
float half_value(const uint8_t* bytes) {
  const int bits = bytes[0] | (bytes[1] << 8);
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) return sign * std::numeric_limits<float>::infinity();  // or no number: neither is told
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}

std::string uuid_text(const uint8_t* bytes) {
  std::string text;
  char two[3];
  for (int i = 0; i < 16; ++i) {
    std::snprintf(two, sizeof two, "%02x", bytes[i]);
    text += two;
    if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
  }
  return text;
}

template <class Real>
std::string real_text(Real value) {
  char buffer[40];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

}  // namespace

ValueText::ValueText(const ::parquet::ColumnDescriptor& column)
    : form_(form_of(column)), length_(column.type_length()) {
  const LogicalType& logical = *column.logical_type();
  if (form_ == Form::kDecimal) scale_ = static_cast<const ::parquet::DecimalLogicalType&>(logical).scale();
  if (form_ == Form::kTime)
    units_per_second_ = units_of(static_cast<const ::parquet::TimeLogicalType&>(logical).time_unit());
  if (form_ != Form::kTimestamp || !logical.is_timestamp()) return;
  const auto& timestamp = static_cast<const ::parquet::TimestampLogicalType&>(logical);
  units_per_second_ = units_of(timestamp.time_unit());
  is_utc_ = timestamp.is_adjusted_to_utc();
}

ValueText::Form ValueText::form_of(const ::parquet::ColumnDescriptor& column) {
  const LogicalType& logical = *column.logical_type();
  const ::parquet::Type::type type = column.physical_type();
  if (type == ::parquet::Type::INT96) return Form::kTimestamp;
  if (logical.is_decimal())
    return column.type_scale() < 0 || column.type_scale() > kMostDecimalDigits ? Form::kUnknown : Form::kDecimal;
  if (logical.is_date()) return Form::kDate;
  if (logical.is_time()) return Form::kTime;
  if (logical.is_timestamp()) return Form::kTimestamp;
  if (logical.is_UUID()) return Form::kUuid;
  if (logical.is_float16()) return column.type_length() == 2 ? Form::kHalf : Form::kUnknown;
  if (type == ::parquet::Type::FIXED_LEN_BYTE_ARRAY) return logical.is_none() ? Form::kHex : Form::kUnknown;
  if (type == ::parquet::Type::BYTE_ARRAY) {
    const bool is_text = logical.is_none() || logical.is_string() || logical.is_enum() || logical.is_JSON();
    return is_text ? Form::kBytes : Form::kUnknown;
  }
  if (logical.is_int()) {
    return static_cast<const ::parquet::IntLogicalType&>(logical).is_signed() ? Form::kPlain : Form::kUnsigned;
  }
  return Form::kPlain;
}

Kind ValueText::hold(std::string text, Kind kind, std::string_view& bytes) {
  held_ = std::move(text);
  bytes = held_;
  return kind;
}

Kind ValueText::tell(bool value, std::string_view& bytes) {
  bytes = value ? "true" : "false";
  return Kind::kOther;
}

Kind ValueText::tell(int32_t value, std::string_view& bytes) {
  if (form_ == Form::kUnsigned) return hold(std::to_string(static_cast<uint32_t>(value)), Kind::kInteger, bytes);
  return tell_integer(value, bytes);
}

Kind ValueText::tell(int64_t value, std::string_view& bytes) {
  if (form_ == Form::kUnsigned) return hold(std::to_string(static_cast<uint64_t>(value)), Kind::kInteger, bytes);
  return tell_integer(value, bytes);
}

Kind ValueText::tell_integer(int64_t value, std::string_view& bytes) {
  if (form_ == Form::kDecimal) return hold(decimal_text(big_endian(value), scale_), Kind::kOther, bytes);
  if (form_ == Form::kDate && is_calendar_day(value)) return hold(date_text(value), Kind::kText, bytes);
  if (form_ == Form::kTime && value >= 0 && value / units_per_second_ <= kSecondsOfDay)
    return hold(time_text(value, units_per_second_), Kind::kText, bytes);
  if (form_ == Form::kTimestamp) {
    const int64_t units_of_day = kSecondsOfDay * units_per_second_;
    const int64_t days = floor_divide(value, units_of_day);
    if (is_calendar_day(days))
      return hold(
          date_text(days) + "T" + time_text(value - days * units_of_day, units_per_second_) + (is_utc_ ? "Z" : ""),
          Kind::kText, bytes);
  }
  return hold(std::to_string(value), Kind::kInteger, bytes);
}

Kind ValueText::tell(const ::parquet::Int96& value, std::string_view& bytes) {
  const int64_t days = static_cast<int64_t>(static_cast<int32_t>(value.value[2])) - kJulianDayOfEpoch;
  const uint64_t nanoseconds = (static_cast<uint64_t>(value.value[1]) << 32) | value.value[0];
  if (!is_calendar_day(days) || nanoseconds >= static_cast<uint64_t>(kSecondsOfDay) * 1000000000) return Kind::kNull;
  return hold(date_text(days) + "T" + time_text(static_cast<int64_t>(nanoseconds), 1000000000), Kind::kText, bytes);
}

Kind ValueText::tell(float value, std::string_view& bytes) {
  return std::isfinite(value) ? hold(real_text(value), Kind::kOther, bytes) : Kind::kNull;
}

Kind ValueText::tell(double value, std::string_view& bytes) {
  return std::isfinite(value) ? hold(real_text(value), Kind::kOther, bytes) : Kind::kNull;
}

Kind ValueText::tell_decimal(std::string_view big_endian, std::string_view& bytes) {
  if (big_endian.empty() || big_endian.size() > kMostDecimalBytes) return Kind::kNull;
  return hold(decimal_text(std::string(big_endian), scale_), Kind::kOther, bytes);
}

Kind ValueText::tell(const ::parquet::ByteArray& value, std::string_view& bytes) {
  bytes = {reinterpret_cast<const char*>(value.ptr), value.len};
  return form_ == Form::kDecimal ? tell_decimal(bytes, bytes) : Kind::kText;
}

Kind ValueText::tell(const ::parquet::FixedLenByteArray& value, std::string_view& bytes) {
  const std::string_view all(reinterpret_cast<const char*>(value.ptr), static_cast<size_t>(length_));
  if (form_ == Form::kUuid && length_ == 16) return hold(uuid_text(value.ptr), Kind::kText, bytes);
  if (form_ == Form::kHalf) return tell(half_value(value.ptr), bytes);
  if (form_ == Form::kHex) return hold(hex_text(all), Kind::kText, bytes);
  return form_ == Form::kDecimal ? tell_decimal(all, bytes) : Kind::kNull;
}

}  // namespace neardup::parquet_module
