#include "neardup/join/disk/value_columns.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "neardup/base/bytes.h"

namespace neardup::join {

Result<ValueColumns> ValueColumns::write(const SignatureSource& source, const std::string& path,
                                         const Context& context) {
  constexpr uint32_t kRows = SignatureSource::kBlockRows;
  const auto width = static_cast<size_t>(source.num_values);
  NEARDUP_ASSIGN(auto file, ScratchFile<uint16_t>::create(path));
  std::vector<uint32_t> numbers;
  std::vector<uint16_t> rows, columns;
  for (uint64_t first = 0; first < source.count; first += kRows) {
    NEARDUP_TRY(context.check_cancel());
    numbers.resize(std::min<uint64_t>(kRows, source.count - first));
    std::iota(numbers.begin(), numbers.end(), static_cast<uint32_t>(first));
    rows.resize(numbers.size() * width);
    columns.resize(rows.size());
    NEARDUP_TRY(source.read(numbers, rows.data()));
    for (size_t row = 0; row < numbers.size(); ++row)
      for (size_t value = 0; value < width; ++value) columns[value * numbers.size() + row] = rows[row * width + value];
    NEARDUP_TRY(file.append(columns));
  }
  NEARDUP_ASSIGN(auto reader, file.reader());
  return ValueColumns(std::move(file), std::move(reader), source.count, width);
}

SignatureSource ValueColumns::in(SignatureSource source) const {
  source.read_column = [this](uint32_t first, uint32_t count, size_t value, uint16_t* values) {
    return read(first, count, value, values);
  };
  return source;
}

Status ValueColumns::read(uint32_t first, uint32_t count, size_t value, uint16_t* values) const {
  constexpr uint32_t kRows = SignatureSource::kBlockRows;
  const uint32_t block_begin = first / kRows * kRows, block_rows = std::min(kRows, num_rows_ - block_begin);
  const uint64_t at = block_begin * width_ + value * block_rows + (first - block_begin);
  return reader_->read_exact_at(at * sizeof(uint16_t), writable_bytes_of(std::span(values, count)));
}

}  // namespace neardup::join
