// Some rows of a column written again.
#pragma once

#include <parquet/column_writer.h>

#include <cstdint>
#include <span>

#include "columns.h"

namespace neardup::parquet_module {

/// Copies the levels and values of the rows `rows`, ascending, of the column to `writer`, which has its schema. What
/// the column means need not be known for that, however deep it is nested. Throws what is wrong with it. Memory: a
/// batch of values; the writer holds a page, which check_column() bounds.
void copy_column(const Source& source, int group, int column, std::span<const uint32_t> rows,
                 ::parquet::ColumnWriter& writer);

}  // namespace neardup::parquet_module
