// Values as text and JSON: what ids, categories and keep rules look at.
#pragma once

#include <parquet/schema.h>
#include <parquet/types.h>

#include <string>
#include <string_view>

#include "neardup/corpus/parquet/module.h"

namespace neardup::parquet_module {

using corpus::parquet::Kind;

/// Makes text or JSON of the values of one column, by its logical type. Threads: one at a time.
class ValueText {
 public:
  explicit ValueText(const ::parquet::ColumnDescriptor& column);

  /// Returns whether values of this column can be told: not those of BSON, intervals and the like.
  [[nodiscard]] bool is_known() const { return form_ != Form::kUnknown; }
  /// Returns whether it holds strings or bytes of any length.
  [[nodiscard]] bool is_text() const { return form_ == Form::kBytes; }

  /// Returns what kind `value` is of and sets `bytes`, which live until the next call, or as long as the value.
  Kind tell(bool value, std::string_view& bytes);
  Kind tell(int32_t value, std::string_view& bytes);
  Kind tell(int64_t value, std::string_view& bytes);
  Kind tell(const ::parquet::Int96& value, std::string_view& bytes);
  Kind tell(float value, std::string_view& bytes);
  Kind tell(double value, std::string_view& bytes);
  Kind tell(const ::parquet::ByteArray& value, std::string_view& bytes);
  Kind tell(const ::parquet::FixedLenByteArray& value, std::string_view& bytes);

 private:
  enum class Form { kUnknown, kPlain, kUnsigned, kBytes, kDate, kTime, kTimestamp, kDecimal, kUuid, kHalf, kHex };

  static Form form_of(const ::parquet::ColumnDescriptor& column);
  Kind tell_integer(int64_t value, std::string_view& bytes);
  Kind tell_decimal(std::string_view big_endian, std::string_view& bytes);
  Kind hold(std::string text, Kind kind, std::string_view& bytes);

  const Form form_;
  const int length_;              // of fixed bytes
  int scale_ = 0;                 // of decimals
  int64_t units_per_second_ = 1;  // of times
  bool is_utc_ = false;
  std::string held_;
};

}  // namespace neardup::parquet_module
