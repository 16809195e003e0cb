// Columns: what Python hands over, row by row, without a copy where that can be.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/corpus/raw_buffer.h"
#include "neardup/corpus/text_path.h"

namespace neardup::python {

/// Values of rows 0, 1, ... that stay as they are as long as it lives. Threads: any member from many at once, with the
/// GIL or without; made and destroyed with it.
class Column {
 public:
  virtual ~Column() = default;
  [[nodiscard]] virtual uint64_t size() const = 0;
  [[nodiscard]] virtual bool is_null(uint64_t row) const = 0;
  /// Returns the text of a row; nothing where it is null. What must be made first is put into `room`, which lives as
  /// long as the view. Requires: the column is of texts, here and below.
  [[nodiscard]] virtual std::optional<std::string_view> text(uint64_t row, corpus::Arena& room) const = 0;
  /// Returns what there is of a text in a row: kMissing and kOther only where it was looked for in fields and lists.
  [[nodiscard]] virtual corpus::PathText::Found found(uint64_t row) const {
    return is_null(row) ? corpus::PathText::Found::kNull : corpus::PathText::Found::kText;
  }
  /// Returns about how many bytes the text of a row has; 0 where it is null.
  [[nodiscard]] virtual uint64_t text_bytes(uint64_t row) const = 0;
};

/// Returns the column of a list of str, bytes and None (NaN counts as None), whose objects it keeps. ASCII is not
/// copied, other texts become UTF-8 each time that they are asked for. Raises TypeError that names the row of anything
/// else.
[[nodiscard]] std::unique_ptr<Column> column_of_list(const nanobind::list& values);

/// Returns the column of whatever has __arrow_c_stream__ or __arrow_c_array__: of string, large_string, string_view,
/// binary and the like, of dictionaries of these; of other types (`texts` false) that can only be asked for nulls.
/// Nothing is copied. Raises TypeError for another type, ValueError for arrays that are not what they say.
[[nodiscard]] std::unique_ptr<Column> column_of_arrow(const nanobind::object& exporter, bool texts);

void define_columns(nanobind::module_& module);

}  // namespace neardup::python
