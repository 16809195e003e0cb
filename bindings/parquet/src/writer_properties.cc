#include "writer_properties.h"

#include <algorithm>

namespace neardup::parquet_module {
namespace {

using ::parquet::Encoding;

bool is_dictionary(Encoding::type encoding) {
  return encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE_DICTIONARY;
}

/// What the writer offers; a footer may name anything.
bool can_write(::parquet::Type::type type, Encoding::type encoding) {
  using ::parquet::Type;
  switch (encoding) {
    case Encoding::DELTA_BINARY_PACKED:
      return type == Type::INT32 || type == Type::INT64;
    case Encoding::DELTA_LENGTH_BYTE_ARRAY:
      return type == Type::BYTE_ARRAY;
    case Encoding::DELTA_BYTE_ARRAY:
      return type == Type::BYTE_ARRAY || type == Type::FIXED_LEN_BYTE_ARRAY;
    case Encoding::BYTE_STREAM_SPLIT:
      return type != Type::BOOLEAN && type != Type::INT96 && type != Type::BYTE_ARRAY;
    default:
      return false;
  }
}

Encoding::type encoding_of_values(const ::parquet::ColumnChunkMetaData& chunk) {
  for (const Encoding::type encoding : chunk.encodings())
    if (can_write(chunk.type(), encoding)) return encoding;
  return Encoding::PLAIN;
}

bool has_pages_of_version_2(const ::parquet::RowGroupMetaData& group) {
  for (int c = 0; c < group.num_columns(); ++c) {
    const auto chunk = group.ColumnChunk(c);
    if (std::ranges::any_of(chunk->encoding_stats(), [](const ::parquet::PageEncodingStats& stats) {
          return stats.page_type == ::parquet::PageType::DATA_PAGE_V2;
        }))
      return true;
  }
  return false;
}

void add_column(const ::parquet::ColumnChunkMetaData& chunk, ::parquet::WriterProperties::Builder& builder) {
  const auto path = chunk.path_in_schema();
  builder.compression(path, chunk.compression());
  if (std::ranges::any_of(chunk.encodings(), is_dictionary)) {
    builder.enable_dictionary(path);
  } else {
    builder.disable_dictionary(path);
    builder.encoding(path, encoding_of_values(chunk));
  }
  if (!chunk.is_stats_set()) builder.disable_statistics(path);
  if (!chunk.GetColumnIndexLocation()) builder.disable_write_page_index(path);
}

}  // namespace

std::shared_ptr<::parquet::WriterProperties> properties_like(const ::parquet::FileMetaData& footer) {
  ::parquet::WriterProperties::Builder builder;
  const bool is_first_version = footer.version() == ::parquet::ParquetVersion::PARQUET_1_0;
  builder.version(is_first_version ? ::parquet::ParquetVersion::PARQUET_1_0 : ::parquet::ParquetVersion::PARQUET_2_6);
  if (footer.num_row_groups() == 0) return builder.build();
  const auto group = footer.RowGroup(0);
  for (int c = 0; c < group->num_columns(); ++c) add_column(*group->ColumnChunk(c), builder);
  if (has_pages_of_version_2(*group)) builder.data_page_version(::parquet::ParquetDataPageVersion::V2);
  builder.set_sorting_columns(group->sorting_columns());
  return builder.build();
}

}  // namespace neardup::parquet_module
