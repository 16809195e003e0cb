// How the columns of a file were written, so that others are written likewise.
#pragma once

#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <memory>

namespace neardup::parquet_module {

/// Returns what the first row group of `footer` shows: of each column codec, encoding, statistics and page index; the
/// version of pages and format; the columns that rows are sorted by.
[[nodiscard]] std::shared_ptr<::parquet::WriterProperties> properties_like(const ::parquet::FileMetaData& footer);

}  // namespace neardup::parquet_module
