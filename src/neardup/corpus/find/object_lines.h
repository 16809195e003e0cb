// Whether a file has a JSON object on each line, told by its first bytes, for files whose name does not say it.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::corpus {

struct ObjectLines {
  size_t num_whole = 0;     // of the lines that were looked at, from the first on: each a whole object, or several
  bool has_member = false;  // one of these objects is not empty
  bool is_other = false;    // the line behind them is none
  bool is_cut = false;      // the bytes end in the midst of the line behind them, which may be one
  [[nodiscard]] bool is_single() const { return num_whole == 1 && has_member && !is_other && !is_cut; }
};

/// Looks at up to `most_lines` lines of `head`, blank ones not counted, as far as each is an object. `is_all`: nothing
/// follows `head`. Values are not read: what JSONL is made of by mistake, such as NaN, two objects on a line or bytes
/// that are no UTF-8, is to be told record by record. Cost: one pass.
[[nodiscard]] ObjectLines look_for_object_lines(std::string_view head, bool is_all, size_t most_lines);

}  // namespace neardup::corpus
