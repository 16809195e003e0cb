#include "column_copy.h"

#include <algorithm>

namespace neardup::parquet_module {
namespace {

constexpr int64_t kCopiedValues = 256;  // few: of values with a common beginning each is unpacked whole
/// The writer looks at its page, whether it is full, when so many bytes of strings have come.
constexpr size_t kPieceBytes = size_t{1} << 20;

/// A vector of these has data() also where the values are bool.
template <class Value>
struct Cell {
  Value value;
};

/// Takes batches of levels and values, leaves out the rows that go, and writes the rest in pieces: a long row, or one
/// that goes on in the next batch, in several.
template <class Type>
class RowCopy {
 public:
  using Value = typename Type::c_type;

  RowCopy(const ::parquet::ColumnDescriptor& column, std::span<const Range> runs, std::span<const uint32_t> rows,
          ::parquet::ColumnWriter& writer)
      : column_(column), runs_(runs), rows_(rows), writer_(static_cast<::parquet::TypedColumnWriter<Type>&>(writer)) {}

  void add(std::span<const int16_t> definitions, std::span<const int16_t> repetitions, std::span<const Value> values) {
    size_t next_value = 0;
    for (size_t i = 0; i < definitions.size(); ++i) {
      if (!repeats() || repetitions[i] == 0) begin_row();
      const bool has_value = definitions[i] == column_.max_definition_level();
      if (has_value && next_value == values.size()) throw Refusal(Fault::kCorrupt, "values are missing");
      if (stays_) {
        definitions_.push_back(definitions[i]);
        if (repeats()) repetitions_.push_back(repetitions[i]);
        if (has_value) add_value(values[next_value]);
      }
      if (has_value) ++next_value;
    }
    write();
  }

  void finish() {
    if (next_ != rows_.size()) throw Refusal(Fault::kCorrupt, "rows are missing");
  }

 private:
  [[nodiscard]] bool repeats() const { return column_.max_repetition_level() > 0; }

  void begin_row() {
    if (run_ == runs_.size()) throw Refusal(Fault::kCorrupt, "there are more rows than the footer says");
    const uint64_t row = runs_[run_].begin + in_run_;
    stays_ = next_ < rows_.size() && rows_[next_] == row;
    if (stays_) ++next_;
    if (row + 1 < runs_[run_].end) {
      ++in_run_;
    } else {
      ++run_;
      in_run_ = 0;
    }
  }

  void add_value(const Value& value) {
    values_.push_back({value});
    piece_bytes_ += byte_length(value);
    if (piece_bytes_ >= kPieceBytes) write();
  }

  void write() {
    if (!definitions_.empty())
      writer_.WriteBatch(static_cast<int64_t>(definitions_.size()), definitions_.data(),
                         repeats() ? repetitions_.data() : nullptr, values_.empty() ? nullptr : &values_.data()->value);
    definitions_.clear();
    repetitions_.clear();
    values_.clear();
    piece_bytes_ = 0;
  }

  const ::parquet::ColumnDescriptor& column_;
  const std::span<const Range> runs_;  // of rows, that are read
  const std::span<const uint32_t> rows_;
  ::parquet::TypedColumnWriter<Type>& writer_;
  size_t next_ = 0;      // of rows_
  size_t run_ = 0;       // that the next row is in
  uint64_t in_run_ = 0;  // rows of it before that
  bool stays_ = false;   // the row that is copied
  std::vector<int16_t> definitions_;
  std::vector<int16_t> repetitions_;
  std::vector<Cell<Value>> values_;
  static_assert(sizeof(Cell<Value>) == sizeof(Value));
  size_t piece_bytes_ = 0;  // of values_
};

template <class Reader, class Type>
void copy_typed(Reader& reader, Type, const ::parquet::ColumnDescriptor& column, std::span<const Range> runs,
                std::span<const uint32_t> rows, ::parquet::ColumnWriter& writer) {
  using Value = typename Type::c_type;
  RowCopy<Type> copy(column, runs, rows, writer);
  std::vector<int16_t> definitions(kCopiedValues), repetitions(kCopiedValues);
  const auto values = std::make_unique<Value[]>(kCopiedValues);
  while (reader.HasNext()) {
    int64_t num_values = 0;
    const int64_t got =
        reader.ReadBatch(kCopiedValues, definitions.data(), repetitions.data(), values.get(), &num_values);
    if (got <= 0) break;
    copy.add({definitions.data(), static_cast<size_t>(got)}, {repetitions.data(), static_cast<size_t>(got)},
             {values.get(), static_cast<size_t>(num_values)});
  }
  copy.finish();
}

/// The pages that hold some of `rows`, and which rows they hold: what is wrong with another one does not matter.
struct NeededPages {
  std::vector<Range> ranges;  // of the file
  std::vector<Range> runs;    // of rows
  uint64_t num_rows = 0;
};

NeededPages find_needed(const PageMap& map, std::span<const uint32_t> rows) {
  NeededPages needed;
  if (map.dictionary.end > map.dictionary.begin) needed.ranges.push_back(map.dictionary);
  for (const PagePlace& page : map.pages) {
    const auto first = std::lower_bound(rows.begin(), rows.end(), page.first_row);
    if (first == rows.end()) break;
    const uint64_t end = page.first_row + page.num_rows;
    if (*first >= end) continue;
    needed.ranges.push_back({page.begin, page.end});
    needed.runs.push_back({page.first_row, end});
    needed.num_rows += page.num_rows;
  }
  return needed;
}

void copy_rows(::parquet::ColumnReader& reader, const ::parquet::ColumnDescriptor& column, std::span<const Range> runs,
               std::span<const uint32_t> rows, ::parquet::ColumnWriter& writer) {
  with_type(reader, [&](auto& typed, auto type) { copy_typed(typed, type, column, runs, rows, writer); });
}

}  // namespace

void copy_column(const Source& source, int group, int column, std::span<const uint32_t> rows,
                 ::parquet::ColumnWriter& writer) {
  const ::parquet::ColumnDescriptor& described = *source.column(column);
  if (described.max_repetition_level() > 0) {
    const Range all{0, static_cast<uint64_t>(source.footer->RowGroup(group)->num_rows())};
    return copy_rows(*open_column(source, group, column), described, {&all, 1}, rows, writer);
  }
  NeededPages needed = find_needed(map_pages(source, group, column), rows);
  const auto reader =
      open_column(source, group, column, std::move(needed.ranges), static_cast<int64_t>(needed.num_rows));
  copy_rows(*reader, described, needed.runs, rows, writer);
}

}  // namespace neardup::parquet_module
