// Columns as the rows of documents that the engine reads.
#pragma once

#include "column.h"
#include "neardup/corpus/rows.h"

namespace neardup::python {

/// Returns the text of a cell; none of a null, or of a column that is none.
inline std::string_view cell(const Column* column, uint64_t index, corpus::Arena& room) {
  return column == nullptr ? "" : column->text(index, room).value_or("");
}

/// What rows have beside their texts, each a column that may be null.
struct RowColumns {
  const Column* values = nullptr;  // of the keep rule
  const Column* within = nullptr;  // categories: only documents of the same one are compared
  const Column* groups = nullptr;  // for which the report counts
};

/// Rows of columns of one length that outlive it. Threads: any member from many at once.
class ColumnRows : public corpus::Rows {
 public:
  explicit ColumnRows(const Column& texts, const RowColumns& others = {}) : texts_(texts), others_(others) {}
  uint64_t size() const override { return texts_.size(); }
  /// Whether a row is no document: it has no text.
  [[nodiscard]] bool is_missing(uint64_t index) const { return texts_.is_null(index); }
  corpus::TextRow row(uint64_t index, corpus::Arena& room) const override {
    const auto text = texts_.text(index, room);
    if (!text || is_missing(index)) return {.is_missing = true};
    return {.text = *text,
            .value = cell(others_.values, index, room),
            .group = cell(others_.groups, index, room),
            .within = cell(others_.within, index, room)};
  }
  uint64_t row_bytes(uint64_t index) const override { return texts_.text_bytes(index); }

 private:
  const Column& texts_;
  const RowColumns others_;
};

}  // namespace neardup::python
