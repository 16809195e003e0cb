// Documents that a program holds itself: an input without a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "neardup/corpus/input.h"
#include "neardup/corpus/raw_buffer.h"

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
/// stay as they are, views and all, while a run goes on; only what is made for a view goes with its batch. Threads: all
/// members from many at once.
class Rows {
 public:
  virtual ~Rows() = default;
  [[nodiscard]] virtual uint64_t size() const = 0;
  /// Returns a row; what must be made first is put into `room`, which lives as long as the views. Requires: index <
  /// size(), here and below.
  [[nodiscard]] virtual TextRow row(uint64_t index, Arena& room) const = 0;
  /// Returns about how many bytes the row takes: what is read at once, and what is told of progress, goes by it.
  [[nodiscard]] virtual uint64_t row_bytes(uint64_t index) const = 0;
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
  [[nodiscard]] TextRow row(uint64_t index, Arena&) const override { return at(index); }
  [[nodiscard]] uint64_t row_bytes(uint64_t index) const override {
    const TextRow row = at(index);
    return row.id.size() + row.text.size();
  }

 private:
  [[nodiscard]] TextRow at(uint64_t index) const {
    return to_row_(*(std::begin(range_) + static_cast<std::ptrdiff_t>(index)));
  }

  const Range& range_;
  ToRow to_row_;
};

/// Returns `rows`, which must outlive it, as an input that a Reader takes like a file. Cost: one look at each row.
[[nodiscard]] Input input_of_rows(const Rows& rows, std::string name);

}  // namespace neardup::corpus
