// Whether a column can be read from end to end.
#pragma once

#include "columns.h"

namespace neardup::parquet_module {

/// Reads all of the column and throws what is wrong with it, among it another number of rows than the group's.
void check_column(const Source& source, int group, int column);

}  // namespace neardup::parquet_module
