// The lines of a dictionary, and what may be wrong with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::token {

/// Returns `text` without ASCII white space at its ends.
[[nodiscard]] std::string_view strip(std::string_view text);

/// Goes through the lines of a text, stripped.
class LineReader {
 public:
  LineReader(std::string_view text, const std::string& where) : rest_(text), where_(where) {}

  /// Goes to the next line; false at the end.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }

  /// Returns kInvalidArgument with the file, the line and `why`.
  [[nodiscard]] tl::unexpected<Error> wrong(std::string_view why) const;
  [[nodiscard]] Status check_word(std::string_view word) const;
  [[nodiscard]] Result<uint64_t> frequency(std::string_view field) const;
  [[nodiscard]] Status add_to_total(uint64_t& total, uint64_t frequency) const;

 private:
  std::string_view rest_;
  std::string_view line_;
  const std::string& where_;
  size_t number_ = 0;
};

}  // namespace neardup::token
