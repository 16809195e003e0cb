// Documents of the rows of a Parquet file.
#pragma once

#include "neardup/corpus/formats/parquet_file.h"
#include "neardup/corpus/read_plan.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {

/// So many rows a batch has at most.
inline constexpr uint64_t kMostParquetRows = uint64_t{1} << 16;

/// Fills `batch` with the rows of its unit in `file`, which has no refusal. Errors: as Reader::load().
[[nodiscard]] Status load_parquet_rows(const ReadPlan& plan, const ParquetFile& file, Load what, Batch& batch);

}  // namespace neardup::corpus
