// Rows of a column of lists: where they begin in its pages, and the texts of some of them.
#pragma once

#include "columns.h"
#include "slice_reader.h"

namespace neardup::parquet_module {

/// Sets of each page of `map` which rows begin in it, where num_values is known. Cost: reads the column.
/// Throws what is wrong with it.
void find_rows_of_lists(const Source& source, int group, int column, PageMap& map);

/// As read_slice(), of a column in lists: a row has its strings with a blank line between, but for nulls and empty
/// ones, and is null where there are nulls alone. Requires: strings or bytes. Memory: a page, and the text of a row,
/// which is cut off behind what a record may have.
void read_lists(const Source& source, int group, int column, const PageMap& map, Range rows, const TakeValue& take);

}  // namespace neardup::parquet_module
