// The values of some rows of a column: of lists of strings the text that they make together.
#pragma once

#include <functional>
#include <string_view>

#include "columns.h"
#include "values.h"

namespace neardup::parquet_module {

/// `row` counts from the first one that is read. Returns false where it takes no more.
using TakeValue = std::function<bool(uint64_t row, Kind kind, std::string_view bytes)>;

/// Reads the pages of `map` that hold `rows` of the group and hands their values on in order. Throws what is wrong with
/// them, and kTooLarge where `take` takes no more.
void read_slice(const Source& source, int group, int column, const PageMap& map, Range rows, const TakeValue& take);

}  // namespace neardup::parquet_module
