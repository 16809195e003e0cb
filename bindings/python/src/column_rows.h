// Columns as the rows of documents that the engine reads.
#pragma once

#include "column.h"
#include "neardup/corpus/rows.h"

namespace neardup::python {

/// Rows of columns of one length that outlive it. `ids` (asked for nulls alone), `values` (of the keep rule) and
/// `within` (categories: only documents of the same one are compared) may be null. Threads: any member from many at
/// once.
class ColumnRows : public corpus::Rows {
 public:
  explicit ColumnRows(const Column& texts, const Column* ids = nullptr, const Column* values = nullptr,
                      const Column* within = nullptr)
      : texts_(texts), ids_(ids), values_(values), within_(within) {}
  uint64_t size() const override { return texts_.size(); }
  /// Whether a row is no document: it has no text, or no id.
  [[nodiscard]] bool is_missing(uint64_t index) const {
    return texts_.is_null(index) || (ids_ != nullptr && ids_->is_null(index));
  }
  corpus::TextRow row(uint64_t index, corpus::Arena& room) const override {
    const auto text = texts_.text(index, room);
    if (!text || is_missing(index)) return {.is_missing = true};
    return {.text = *text,
            .value = values_ == nullptr ? "" : values_->text(index, room).value_or(""),
            .within = within_ == nullptr ? "" : within_->text(index, room).value_or("")};
  }
  uint64_t row_bytes(uint64_t index) const override { return texts_.text_bytes(index); }

 private:
  const Column& texts_;
  const Column* ids_;
  const Column* values_;
  const Column* within_;
};

}  // namespace neardup::python
