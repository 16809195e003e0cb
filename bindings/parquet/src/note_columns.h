// The two columns of --mode annotate.
#pragma once

#include <parquet/file_writer.h>
#include <parquet/metadata.h>

#include <memory>
#include <span>

#include "neardup/corpus/parquet/module.h"

namespace neardup::parquet_module {

struct NotedSchema {
  std::shared_ptr<::parquet::schema::GroupNode> root;
  std::shared_ptr<const ::arrow::KeyValueMetadata> metadata;
  int num_dropped = 0;  // of the last columns: those of an earlier run
};

/// Throws where the Arrow schema that the footer keeps cannot be read: pyarrow opens no such file, and no copy of it.
void check_arrow_schema(const ::parquet::FileMetaData& footer);

/// Returns the schema of a file as it is.
[[nodiscard]] NotedSchema same_schema(const ::parquet::FileMetaData& footer);

/// Returns the schema with neardup_duplicate_of (a string) and neardup_cluster (an integer) behind its columns; those
/// of an earlier run, the last two, are replaced. The Arrow schema among the metadata tells of them too.
[[nodiscard]] NotedSchema noted_schema(const ::parquet::FileMetaData& footer);

/// Writes the two columns, the next ones of `group`.
void write_notes(std::span<const corpus::parquet::RowNote> notes, ::parquet::RowGroupWriter& group);

}  // namespace neardup::parquet_module
