// Rows: documents that a program holds.
#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/read_plan.h"
#include "neardup/corpus/rows.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {
namespace {

constexpr uint64_t kMaxRowsAtOnce = 4096;

/// Never 0, so that no two units begin at the same byte.
uint64_t bytes_of_row(const Rows& rows, uint64_t row) { return rows.row_bytes(row) + 1; }

class RowsSource : public Source {
 public:
  void cut(const std::vector<Input>& inputs, uint32_t index, const ReadOptions& options,
           std::vector<Unit>& units) const override {
    const Rows& rows = *inputs[index].rows;
    const uint64_t size = rows.size();
    for (uint64_t row = 0, end = 0; row < size;) {
      Unit unit{index, 1, end, end, row, 0};
      for (; row < size && unit.num_rows < kMaxRowsAtOnce && unit.end - unit.begin < options.batch_bytes; ++row) {
        unit.end += bytes_of_row(rows, row);
        ++unit.num_rows;
      }
      end = unit.end;
      units.push_back(unit);
    }
  }
  bool is_stream(const Input&) const override { return false; }
  Status load(const ReadPlan& plan, Load, Batch& batch) const override {
    const Unit& unit = batch.buffers->unit;
    const Rows& rows = *plan.inputs[unit.first_input].rows;
    for (uint64_t i = 0; i < unit.num_rows; ++i)
      add(rows.row(unit.first_row + i, batch.buffers->arena), i, plan.options, batch);
    batch.num_lines = unit.num_rows;
    return {};
  }

 private:
  static void add(const TextRow& row, uint64_t number, const ReadOptions& options, Batch& batch) {
    if (row.is_missing) {
      batch.rejections.push_back({batch.first_input, number, "missing_text", "there is no text, or no id", ""});
      return;
    }
    if (row.text.size() > options.max_record_bytes) {
      batch.rejections.push_back({batch.first_input, number, "too_long", too_long_message(options),
                                  std::string(row.text.substr(0, kExcerptBytes))});
      return;
    }
    Document document;
    document.input = batch.first_input;
    document.line = number;
    document.has_id = !row.id.empty();
    document.id = row.id;
    document.text = document.record = row.text;
    document.value = row.value;
    document.group = row.group;
    document.within = row.within;
    batch.documents.push_back(document);
  }
};

}  // namespace

Input input_of_rows(const Rows& rows, std::string name) {
  Input input;
  input.path = name;
  input.name = std::move(name);
  input.format = Format::kRows;
  input.named = true;
  input.rows = &rows;
  for (uint64_t i = 0; i < rows.size(); ++i) input.size_bytes += bytes_of_row(rows, i);
  return input;
}

const Source& rows_source() {
  static const RowsSource source;
  return source;
}

}  // namespace neardup::corpus
