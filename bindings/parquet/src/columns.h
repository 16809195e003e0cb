// Columns of an opened file: where they lie, which one a key names, how one is read.
#pragma once

#include <parquet/column_reader.h>
#include <parquet/metadata.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "host_input.h"

namespace neardup::parquet_module {

/// What is read from: the file, its footer, and the pool that its pages unpack into.
struct Source {
  const HostFile* file = nullptr;
  std::shared_ptr<::parquet::FileMetaData> footer;
  ::arrow::MemoryPool* pool = nullptr;
  uint64_t most_bytes = 0;  // of a page

  [[nodiscard]] const ::parquet::ColumnDescriptor* column(int index) const { return footer->schema()->Column(index); }
  [[nodiscard]] ::parquet::ReaderProperties properties() const;
};

/// A page of data: its header begins at `begin`.
struct PagePlace {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t first_row = 0;   // in the group, that begins in it
  uint64_t num_rows = 0;    // that begin in it
  uint64_t num_values = 0;  // with nulls: of lists others than rows
  bool continues = false;   // the row before first_row goes on in it
};

/// Where the pages of a column are.
struct PageMap {
  Range dictionary;  // empty: there is none
  std::vector<PagePlace> pages;
  double unpacked_ratio = 1;      // how many bytes a byte of them unpacks to, by the footer
  uint64_t dictionary_bytes = 0;  // unpacked
  uint64_t longest_entry = 0;     // of the dictionary, in bytes
  size_t num_coded_pages = 0;     // the first ones, whose values are entries of the dictionary, by the footer
};

/// No page of a text column has more rows: so few bytes can claim so many.
inline constexpr uint64_t kMostRowsOfPage = uint64_t{1} << 24;

inline constexpr int kNoColumnFound = -1;

/// Returns the column of single values that `key` names: one of this name, or "a.b" field b of struct a.
[[nodiscard]] int find_column(const ::parquet::SchemaDescriptor& schema, std::string_view key);

/// Returns what the column `key` is that find_column() does not find, such as "column 'tags' is a list"; nothing where
/// there is none.
[[nodiscard]] std::string describe_nested(const ::parquet::SchemaDescriptor& schema, std::string_view key);

/// Returns `key` cut at its dots.
[[nodiscard]] std::vector<std::string> split_at_dots(std::string_view key);

/// Returns the columns' names for a message, the first 8.
[[nodiscard]] std::string list_columns(const ::parquet::SchemaDescriptor& schema);

/// Returns where column `column` of group `group` lies. Throws Refusal where that is not in the file.
[[nodiscard]] Range chunk_range(const Source& source, int group, int column);

/// Looks at the header of each page of a column, and reads a column of lists. Throws what is wrong with them.
[[nodiscard]] PageMap map_pages(const Source& source, int group, int column);

/// Returns a reader of the pages in `ranges`, which hold `num_values` values with their nulls.
[[nodiscard]] std::shared_ptr<::parquet::ColumnReader> open_column(const Source& source, int group, int column,
                                                                   std::vector<Range> ranges, int64_t num_values);

/// Returns a reader of the whole column.
[[nodiscard]] std::shared_ptr<::parquet::ColumnReader> open_column(const Source& source, int group, int column);

/// How many bytes a value takes beside its place in an array: those of strings.
template <class Value>
size_t byte_length(const Value& value) {
  if constexpr (std::is_same_v<Value, ::parquet::ByteArray>) return value.len;
  return 0;
}

/// Calls use(TypedColumnReader<T>&) with the reader as what it is.
template <class Use>
void with_type(::parquet::ColumnReader& reader, Use&& use) {
  using ::parquet::Type;
  switch (reader.type()) {
    case Type::BOOLEAN:
      return use(static_cast<::parquet::BoolReader&>(reader), ::parquet::BooleanType());
    case Type::INT32:
      return use(static_cast<::parquet::Int32Reader&>(reader), ::parquet::Int32Type());
    case Type::INT64:
      return use(static_cast<::parquet::Int64Reader&>(reader), ::parquet::Int64Type());
    case Type::INT96:
      return use(static_cast<::parquet::Int96Reader&>(reader), ::parquet::Int96Type());
    case Type::FLOAT:
      return use(static_cast<::parquet::FloatReader&>(reader), ::parquet::FloatType());
    case Type::DOUBLE:
      return use(static_cast<::parquet::DoubleReader&>(reader), ::parquet::DoubleType());
    case Type::BYTE_ARRAY:
      return use(static_cast<::parquet::ByteArrayReader&>(reader), ::parquet::ByteArrayType());
    case Type::FIXED_LEN_BYTE_ARRAY:
      return use(static_cast<::parquet::FixedLenByteArrayReader&>(reader), ::parquet::FLBAType());
    default:
      throw Refusal(Fault::kUnsupported, "a column has a type that is not known");
  }
}

}  // namespace neardup::parquet_module
