// Columns as the rows of documents that the engine reads.
#pragma once

#include "column.h"
#include "neardup/corpus/rows.h"

namespace neardup::python {

/// Rows of columns of one length that outlive it. `ids` (asked for nulls alone) and `values` (of the keep rule) may be
/// null. Threads: any member from many at once.
class ColumnRows : public corpus::Rows {
 public:
  explicit ColumnRows(const Column& texts, const Column* ids = nullptr, const Column* values = nullptr)
      : texts_(texts), ids_(ids), values_(values) {}
  uint64_t size() const override { return texts_.size(); }
  corpus::TextRow row(uint64_t index) const override {
    const auto text = texts_.text(index);
    if (!text || (ids_ != nullptr && ids_->is_null(index))) return {.is_missing = true};
    return {.text = *text, .value = values_ == nullptr ? std::string_view() : values_->text(index).value_or("")};
  }

 private:
  const Column& texts_;
  const Column* ids_;
  const Column* values_;
};

}  // namespace neardup::python
