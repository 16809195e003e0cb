// Formats that are not read: told by their first bytes or the ending of their name, each with what converts it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace neardup::corpus {

/// So many first bytes tell every format of the table.
inline constexpr size_t kForeignProbeBytes = 512;

/// Returns what a file is that begins with `bytes`, and the command that makes text or JSONL of it with FILE for its
/// path: "is a PDF document; convert it first: pdftotext FILE FILE.txt". Empty where it may be text. `name` tells apart
/// what begins alike: documents in ZIP archives.
[[nodiscard]] std::string why_foreign(std::string_view bytes, std::string_view name);

/// Returns the same where the file is to be read as another format than Parquet: also of one that is that.
[[nodiscard]] std::string why_other_format(std::string_view bytes, std::string_view name);

/// Returns the same where the file is to be read as text: also of one whose records are read under another name.
[[nodiscard]] std::string why_no_text_format(std::string_view bytes, std::string_view name);

/// Returns what a file is that begins with `bytes`, where it is a drawing in XML: "is an SVG drawing; ...". Its bytes
/// are text, but what a reader sees is a picture.
[[nodiscard]] std::string why_drawing(std::string_view bytes);

/// Returns whether a name ends as that of an archive or of a table in columns, which no text has.
[[nodiscard]] bool is_packed_name(std::string_view name);

/// The same as why_foreign() by the ending of `name` alone; `name` in small letters, without the ending of a
/// compression.
[[nodiscard]] std::string why_foreign_name(std::string_view name);

}  // namespace neardup::corpus
