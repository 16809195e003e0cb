// Files of fingerprints, read a part at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "neardup/base/context.h"
#include "neardup/fingerprint/file.h"

namespace neardup::engine {

/// Who receives a file. Both may end the reading by an Error.
struct RecordReceiver {
  /// What the file says about itself, before its records. Text says nothing at its beginning; where a line names its
  /// recipe this is called again, before that line's record, with the recipe's id alone.
  std::function<Status(const fingerprint::FileHeader& header)> begin;
  /// Some records, in order of the file, valid for the call. Those of text have neither checksum nor sizes.
  std::function<Status(std::span<const fingerprint::Record> records)> take;
};

/// Takes what a line says about its recipe into what the lines before it said; both may be empty: not known. Errors:
/// kMismatch, naming both recipes.
[[nodiscard]] Status join_recipe_of_line(const std::string& path, const std::string& of_line, std::string& of_file);

/// Returns the Error (kCorruption) that `path` has nothing in it. A binary file of no documents is not empty.
[[nodiscard]] tl::unexpected<Error> empty_fingerprints(const std::string& path);

/// Returns the path of the binary form of fingerprints at `path`, or "" where it is text. "-" is standard input, which
/// can be binary where it is a file; from a pipe only text is read. Errors: kNotFound, kIo.
[[nodiscard]] Result<std::string> binary_form_of(const std::string& path);

/// Reads the binary form. Errors: kNotFound, kIo, kCorruption, kCancelled.
[[nodiscard]] Status read_binary_fingerprints(const std::string& path, const Context& context,
                                              const RecordReceiver& receiver);

/// Reads text (also .gz, .zst with a window that fits into `memory_bytes`, and all of "-" before the first line):
/// `take` receives each line with its number, from 1, `pause` is called now and then, at the end too. Errors: those of
/// both; kNotFound, kIo, kCancelled; kCorruption naming file and line, also where one has more than 8 MiB.
[[nodiscard]] Status read_lines(const std::string& path, const Context& context,
                                const std::function<Status(std::string_view line, uint64_t number)>& take,
                                const std::function<Status()>& pause, uint64_t memory_bytes = 0);

/// Returns the error of a file at `path` that holds MinHash signatures where fingerprints are needed.
[[nodiscard]] tl::unexpected<Error> no_fingerprints(const std::string& path);

/// Returns the error with file and line before its message.
[[nodiscard]] tl::unexpected<Error> at_line(const std::string& path, uint64_t number, const Error& error);

/// Reads what `neardup fingerprint` has written: text (also .gz, .zst) or the binary form, told apart by its first
/// bytes. "-" is standard input: text is handed on as its lines come in. `memory_bytes` is that of read_lines().
/// Errors: kNotFound, kIo, kCancelled; kCorruption naming file and line; kUnsupported where there are MinHash
/// signatures.
[[nodiscard]] Status read_fingerprints(const std::string& path, const Context& context, const RecordReceiver& receiver,
                                       uint64_t memory_bytes = 0);

}  // namespace neardup::engine
