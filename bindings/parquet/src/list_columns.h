// Texts that stand in lists: which column "tags[]" or "messages[].content" names.
#pragma once

#include "columns.h"

namespace neardup::parquet_module {

/// Returns the column that find_column() finds, or one that `key` names in lists; "name[]" is each item of a list.
[[nodiscard]] int find_text_column(const ::parquet::SchemaDescriptor& schema, std::string_view key);

/// Returns what the column `key` is that find_text_column() does not find, and what names the texts in it, such as
/// "column 'messages' is a list; 'messages[].content' takes its texts"; nothing where there is none.
[[nodiscard]] std::string describe_no_text(const ::parquet::SchemaDescriptor& schema, std::string_view key);

}  // namespace neardup::parquet_module
