// What stands behind a backslash in texts for troff.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::text {

/// The strings that a text for troff defines (.ds), and those of the macros of manual pages. Few and short ones are
/// kept. Views are into the text.
class RoffStrings {
 public:
  void define(std::string_view name, std::string_view value);
  /// Returns what `name` stands for, as source; nothing where that is not known.
  [[nodiscard]] std::string_view find(std::string_view name) const;

 private:
  struct Entry {
    std::string_view name, value;
  };
  std::vector<Entry> entries_;
};

/// Appends `source`, a part of a line, to `out` as it is shown: up to a comment, without fonts, sizes, motions and
/// registers, with characters in place of their names. All of its plain text is appended. Nothing is shown of a string
/// that is longer than what stands for it and with which `out` could have more than `most` bytes at the end of
/// `source`.
void append_shown(std::string_view source, const RoffStrings& strings, size_t most, std::string& out);

}  // namespace neardup::text
