#include "column_check.h"

#include <algorithm>
#include <span>

#include "writer_properties.h"

namespace neardup::parquet_module {
namespace {

constexpr int64_t kCheckedValues = 256;
constexpr uint64_t kLevelBytes = 2 * sizeof(int16_t);
constexpr uint64_t kCodeBytes = sizeof(int32_t);  // of a value in a dictionary

/// Counts the rows of a column, and of one of lists what the writer would hold of it at once: nulls fill no page, and
/// where a page ends no sooner than its row (version 2, or a page index) a row.
class RowCount {
 public:
  RowCount(const ::parquet::ColumnDescriptor& column, bool holds_rows, uint64_t most_bytes)
      : column_(column), holds_rows_(holds_rows), most_bytes_(most_bytes) {}

  template <class Value>
  void add(std::span<const int16_t> definitions, std::span<const int16_t> repetitions, std::span<const Value> values) {
    if (column_.max_repetition_level() == 0) {
      num_rows_ += definitions.size();
      return;
    }
    for (size_t i = 0, next = 0; i < definitions.size(); ++i) {
      if (repetitions[i] == 0) begin_row();
      const bool has_value = definitions[i] == column_.max_definition_level() && next < values.size();
      add_level(has_value ? sizeof(Value) + byte_length(values[next++]) + kCodeBytes : 0);
    }
  }

  [[nodiscard]] uint64_t num_rows() const { return num_rows_; }

 private:
  void begin_row() {
    ++num_rows_;
    row_bytes_ = 0;
  }

  /// A value of no bytes is a null.
  void add_level(uint64_t value_bytes) {
    if (value_bytes == 0) null_bytes_ += kLevelBytes;
    if (holds_rows_) row_bytes_ += kLevelBytes + value_bytes;
    if (std::max(null_bytes_, row_bytes_) <= most_bytes_) return;
    throw Refusal(Fault::kTooLarge, "the lists up to row " + std::to_string(num_rows_) +
                                        " of the group need more than " + std::to_string(most_bytes_) +
                                        " bytes at once; give more --memory or --max-record-bytes");
  }

  const ::parquet::ColumnDescriptor& column_;
  const bool holds_rows_;
  const uint64_t most_bytes_;
  uint64_t num_rows_ = 0;
  uint64_t null_bytes_ = 0;
  uint64_t row_bytes_ = 0;  // of the last one
};

template <class Reader, class Type>
void count_rows(Reader& reader, Type, RowCount& count) {
  using Value = typename Type::c_type;
  std::vector<int16_t> definitions(kCheckedValues), repetitions(kCheckedValues);
  const auto values = std::make_unique<Value[]>(kCheckedValues);
  while (reader.HasNext()) {
    int64_t num_values = 0;
    const int64_t got =
        reader.ReadBatch(kCheckedValues, definitions.data(), repetitions.data(), values.get(), &num_values);
    if (got <= 0) break;
    const auto num_levels = static_cast<size_t>(got);
    count.add<Value>({definitions.data(), num_levels}, {repetitions.data(), num_levels},
                     {values.get(), static_cast<size_t>(num_values)});
  }
}

/// Whether pages are written that end where rows end.
bool holds_rows(const Source& source, int column) {
  const auto properties = properties_like(*source.footer);
  return properties->data_page_version() == ::parquet::ParquetDataPageVersion::V2 ||
         properties->page_index_enabled(source.column(column)->path());
}

}  // namespace

void check_column(const Source& source, int group, int column) {
  const auto expected = static_cast<uint64_t>(source.footer->RowGroup(group)->num_rows());
  const ::parquet::ColumnDescriptor& described = *source.column(column);
  const std::string place = "column '" + described.path()->ToDotString() + "': ";
  RowCount count(described, holds_rows(source, column), source.most_bytes);
  try {
    const auto reader = open_column(source, group, column);
    with_type(*reader, [&](auto& typed, auto type) { count_rows(typed, type, count); });
  } catch (const Refusal& refusal) {
    throw Refusal(refusal.fault(), place + refusal.what());
  } catch (const ::parquet::ParquetStatusException& e) {
    const bool is_memory = e.status().IsOutOfMemory();
    throw Refusal(is_memory ? Fault::kTooLarge : Fault::kCorrupt, place + first_line(e.status().message().c_str()));
  } catch (const ::parquet::ParquetException& e) {
    throw Refusal(Fault::kCorrupt, place + first_line(e.what()));
  }
  const uint64_t found = count.num_rows();
  if (found == expected) return;
  throw Refusal(Fault::kCorrupt,
                place + "it has " + std::to_string(found) + " rows, and the footer says " + std::to_string(expected));
}

}  // namespace neardup::parquet_module
