// Which fields a JSON object has: for messages about a field that it lacks.
#pragma once

#include <string>
#include <string_view>

#include "neardup/corpus/formats/csv_dialect.h"
#include "neardup/corpus/input.h"

namespace neardup::corpus {

/// Returns the names of the first fields of `object`, such as "'id', 'body'", with ", ..." where there are more than 8,
/// as they stand in the JSON and cut to 40 bytes; "no fields" where there are none. Looks at its first 64 KiB, which
/// need not be all of it. Cost: one pass over them.
[[nodiscard]] std::string list_field_names(std::string_view object);

/// Returns the same for the first record of an input, a table as `table` says; "no fields" where it cannot be read.
[[nodiscard]] std::string first_field_names(const Input& input, const CsvDialect& table = {});

}  // namespace neardup::corpus
