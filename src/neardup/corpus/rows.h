// Documents that a program holds itself: an input without a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "neardup/corpus/input.h"

namespace neardup::corpus {

/// One document of a program.
struct TextRow {
  std::string_view id = {};  // empty: its place stands in, "NAME:NUMBER" from 1
  std::string_view text = {};
  std::string_view value = {};   // raw JSON: what a keep rule with a field looks at
  std::string_view group = {};   // text, or raw JSON: what counts and labels of a group field look at
  std::string_view within = {};  // category: only documents of the same one are compared
  bool is_missing = false;       // there is no text, or no id where each has one: the row is rejected
};

/// Documents 0, 1, ... of a program, in the order in which they are kept. They are read more than once, so rows must
/// stay as they are, views and all, while a run goes on. Threads: all members from many at once.
class Rows {
 public:
  virtual ~Rows() = default;
  [[nodiscard]] virtual uint64_t size() const = 0;
  /// Requires: index < size().
  [[nodiscard]] virtual TextRow row(uint64_t index) const = 0;
};

/// The elements of a random-access `range`, which must outlive it, each made a TextRow by `to_row`.
///
///   std::vector<std::string> texts = ...;
///   corpus::RowsOf rows(texts, [](const std::string& text) { return corpus::TextRow{"", text}; });
template <class Range, class ToRow>
class RowsOf : public Rows {
 public:
  RowsOf(const Range& range, ToRow to_row) : range_(range), to_row_(std::move(to_row)) {}
  [[nodiscard]] uint64_t size() const override { return static_cast<uint64_t>(std::size(range_)); }
  [[nodiscard]] TextRow row(uint64_t index) const override {
    return to_row_(*(std::begin(range_) + static_cast<std::ptrdiff_t>(index)));
  }

 private:
  const Range& range_;
  ToRow to_row_;
};

/// Returns `rows`, which must outlive it, as an input that a Reader takes like a file. Cost: one look at each row.
[[nodiscard]] Input input_of_rows(const Rows& rows, std::string name);

}  // namespace neardup::corpus
