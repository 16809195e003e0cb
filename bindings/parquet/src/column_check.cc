#include "column_check.h"

#include <algorithm>

namespace neardup::parquet_module {
namespace {

constexpr int64_t kCheckedValues = 1024;

template <class Reader, class Type>
uint64_t count_rows(Reader& reader, Type, bool repeats) {
  using Value = typename Type::c_type;
  std::vector<int16_t> definitions(kCheckedValues), repetitions(kCheckedValues);
  const auto values = std::make_unique<Value[]>(kCheckedValues);
  uint64_t num_rows = 0;
  while (reader.HasNext()) {
    int64_t num_values = 0;
    const int64_t got =
        reader.ReadBatch(kCheckedValues, definitions.data(), repetitions.data(), values.get(), &num_values);
    if (got <= 0) break;
    num_rows +=
        static_cast<uint64_t>(repeats ? std::count(repetitions.begin(), repetitions.begin() + got, int16_t{0}) : got);
  }
  return num_rows;
}

}  // namespace

void check_column(const Source& source, int group, int column) {
  const auto expected = static_cast<uint64_t>(source.footer->RowGroup(group)->num_rows());
  const ::parquet::ColumnDescriptor& described = *source.column(column);
  const std::string place = "column '" + described.path()->ToDotString() + "': ";
  uint64_t found = 0;
  try {
    const auto reader = open_column(source, group, column);
    with_type(*reader,
              [&](auto& typed, auto type) { found = count_rows(typed, type, described.max_repetition_level() > 0); });
  } catch (const Refusal& refusal) {
    throw Refusal(refusal.fault(), place + refusal.what());
  } catch (const ::parquet::ParquetStatusException& e) {
    const bool is_memory = e.status().IsOutOfMemory();
    throw Refusal(is_memory ? Fault::kTooLarge : Fault::kCorrupt, place + first_line(e.status().message().c_str()));
  } catch (const ::parquet::ParquetException& e) {
    throw Refusal(Fault::kCorrupt, place + first_line(e.what()));
  }
  if (found == expected) return;
  throw Refusal(Fault::kCorrupt,
                place + "it has " + std::to_string(found) + " rows, and the footer says " + std::to_string(expected));
}

}  // namespace neardup::parquet_module
