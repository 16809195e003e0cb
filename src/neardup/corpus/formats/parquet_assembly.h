// A Parquet file made of the rows of another one that stay.
#pragma once

#include <memory>

#include "neardup/corpus/input.h"
#include "neardup/corpus/sink.h"

namespace neardup::corpus {

/// Appends to `out` which rows of its file the records of `batch` are, with their notes: what the assembly takes.
void append_parquet_rows(const Batch& batch, std::span<const Chosen> records, bool annotates, std::string& out);

/// Errors: as Sink::assemble().
[[nodiscard]] Result<std::unique_ptr<Assembly>> assemble_parquet(const Input& input, bool annotates);

}  // namespace neardup::corpus
