// Why a row of a table is none: the dialect that it seems to be written in, and the flag that says so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "neardup/corpus/formats/csv_row.h"

namespace neardup::corpus {

/// Returns the end of the message of `record`, which `fault` ended at its byte `at`, or which has too many or too few
/// columns where that is kNone: what seems to be meant, and the flag that says so; empty where nothing shows.
[[nodiscard]] std::string csv_cause(std::string_view record, const CsvDialect& dialect, CsvFault fault, size_t at);

}  // namespace neardup::corpus
