// What is in a file: its format and compression.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "neardup/corpus/find/data_folders.h"
#include "neardup/corpus/find/discover.h"

namespace neardup::corpus {

/// Sets format, compression and pre of `input` (path, name, size_bytes and named are set) from its name and, where that
/// does not tell, its first bytes. A file of a folder that cannot be read is taken for text; reading it will reject it.
/// Returns what only its neighbours can tell (data_folders.h).
/// Errors: kUnsupported where a .json file that was given itself is not made of lines, or a file that was given itself
/// is of a kind that is not read, or one of records in UTF-16 or UTF-32; as check_failure().
[[nodiscard]] Result<Doubt> detect(Input& input, const DiscoverOptions& options);

/// Returns the format whose files begin with such bytes, where they tell one.
[[nodiscard]] std::optional<Format> format_of_magic(std::string_view head);

/// Returns whether the first byte of `bytes` that is not white space is "{".
[[nodiscard]] bool begins_object(std::string_view bytes);

/// Returns whether options.object_is_text has a file that begins an object be a text: its first line is no whole one.
/// Errors: as peek().
[[nodiscard]] Result<bool> is_one_object(const Input& input, const DiscoverOptions& options);

/// Returns the first bytes of `input`, decompressed, up to `size`; fewer where there are no more, or the file may not
/// be read. Errors: as check_failure().
[[nodiscard]] Result<std::string> peek(const Input& input, size_t size);

/// Returns the compression whose magic number `bytes` begin with.
[[nodiscard]] Compression compression_of_magic(std::string_view bytes);

/// Returns the compression that the ending of a file's name says.
[[nodiscard]] Compression compression_of_name(const std::string& path);

/// Returns ".gz", ".zst" or "".
[[nodiscard]] std::string_view compression_extension(Compression compression);

/// Returns the ending of a file's name in small letters, without that of its compression: ".html" of "A.HTML.gz";
/// nothing where there is none.
[[nodiscard]] std::string ending_of(const std::string& path);

/// Returns whether `input` is a table (.csv, .tsv) or .json by its name.
[[nodiscard]] bool has_records(const Input& input);

/// Returns the command that makes JSONL of such a file, with FILE for its path. Reads the first bytes of .json.
[[nodiscard]] std::string to_records(const Input& input);

}  // namespace neardup::corpus
