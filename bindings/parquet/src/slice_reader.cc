#include "slice_reader.h"

#include <algorithm>
#include <array>

#include "list_slice.h"

namespace neardup::parquet_module {
namespace {

constexpr int64_t kBatchValues = 256;  // few: of values with a common beginning each is unpacked whole

struct Pages {
  std::vector<Range> ranges;
  uint64_t first_row = 0;
  uint64_t num_rows = 0;
};

Pages pages_of(const PageMap& map, Range rows) {
  const auto ends_before = [](const PagePlace& page, uint64_t row) { return page.first_row + page.num_rows <= row; };
  const auto first = std::lower_bound(map.pages.begin(), map.pages.end(), rows.begin, ends_before);
  Pages pages;
  if (map.dictionary.end > map.dictionary.begin) pages.ranges.push_back(map.dictionary);
  if (first == map.pages.end()) throw Refusal(Fault::kCorrupt, "rows are missing");
  auto last = first;
  while (last != map.pages.end() && last->first_row < rows.end) ++last;
  pages.ranges.push_back({first->begin, std::prev(last)->end});
  pages.first_row = first->first_row;
  pages.num_rows = std::prev(last)->first_row + std::prev(last)->num_rows - first->first_row;
  return pages;
}

template <class Reader, class Type>
void read_typed(Reader& reader, Type, const ::parquet::ColumnDescriptor& column, uint64_t skipped, uint64_t num_rows,
                uint64_t num_rows_of_pages, const TakeValue& take) {
  using Value = typename Type::c_type;
  if (static_cast<uint64_t>(reader.Skip(static_cast<int64_t>(skipped))) != skipped)
    throw Refusal(Fault::kCorrupt, "rows are missing");
  ValueText texts(column);
  std::array<int16_t, kBatchValues> levels{};
  const auto values = std::make_unique<Value[]>(kBatchValues);
  for (uint64_t row = 0; row < num_rows;) {
    const auto wanted = static_cast<int64_t>(std::min<uint64_t>(kBatchValues, num_rows - row));
    int64_t num_values = 0;
    const int64_t num_levels = reader.ReadBatch(wanted, levels.data(), nullptr, values.get(), &num_values);
    if (num_levels <= 0) throw Refusal(Fault::kCorrupt, "rows are missing");
    for (int64_t i = 0, next = 0; i < num_levels; ++i, ++row) {
      const bool is_null =
          column.max_definition_level() > 0 && levels[static_cast<size_t>(i)] != column.max_definition_level();
      if (!is_null && next >= num_values) throw Refusal(Fault::kCorrupt, "values are missing");
      std::string_view bytes;
      const Kind kind = is_null ? Kind::kNull : texts.tell(values[static_cast<size_t>(next++)], bytes);
      if (!take(row, kind, bytes))
        throw Refusal(Fault::kTooLarge, "its values need more memory than there is for a batch; give more --memory");
    }
  }
  // The writer reads pages whole: what is wrong behind the last row must show here, too.
  for (uint64_t row = skipped + num_rows; row < num_rows_of_pages;) {
    int64_t num_values = 0;
    const int64_t num_levels = reader.ReadBatch(kBatchValues, levels.data(), nullptr, values.get(), &num_values);
    if (num_levels <= 0) throw Refusal(Fault::kCorrupt, "rows are missing");
    row += static_cast<uint64_t>(num_levels);
  }
}

}  // namespace

void read_slice(const Source& source, int group, int column, const PageMap& map, Range rows, const TakeValue& take) {
  if (rows.begin == rows.end) return;
  if (source.column(column)->max_repetition_level() > 0) return read_lists(source, group, column, map, rows, take);
  Pages pages = pages_of(map, rows);
  const auto reader = open_column(source, group, column, std::move(pages.ranges), static_cast<int64_t>(pages.num_rows));
  with_type(*reader, [&](auto& typed, auto type) {
    read_typed(typed, type, *source.column(column), rows.begin - pages.first_row, rows.end - rows.begin, pages.num_rows,
               take);
  });
}

}  // namespace neardup::parquet_module
