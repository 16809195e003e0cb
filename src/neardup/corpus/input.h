// Inputs: which files are read, what is in them, and under which name their kept documents are written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/base.h"

namespace neardup::corpus {

enum class Format { kJsonl, kLines, kText };  // a JSON object a line; a document a line; a document a file
enum class Compression { kNone, kGzip, kZstd };

/// One input file.
struct Input {
  std::string path;
  std::string name;  // relative, unique among the inputs, without "..": where its kept documents go below the output
                     // folder; no name is another one's folder
  Format format = Format::kText;
  Compression compression = Compression::kNone;
  uint64_t size_bytes = 0;  // on disk; bytes that are appended later are not read
  int64_t modified_ns = 0;
  bool named =
      false;          // given itself, not found in a folder or by a pattern: then a few NUL bytes do not make it binary
  std::string fault;  // of an entry of a folder that cannot be read at all: why. Reading it gives one rejection
  bool operator==(const Input&) const = default;
};

struct DiscoverOptions {
  std::optional<Format> format = std::nullopt;  // instead of detection by name and first bytes
  // Patterns for files found in folders and by patterns, held against the path below the folder. A pattern without "/"
  // is held against the last part alone. "*" and "?" do not cross "/", "**" does, "[a-z]" and "[!a-z]" are sets.
  std::vector<std::string> include = {};  // empty = all
  std::vector<std::string> exclude = {};  // of a folder that cannot be listed: a pattern of itself, or of all in it
};

/// Expands files, folders and patterns into inputs. Order: of the arguments; in a folder by the bytes of the path below
/// it. Folders are searched to any depth; hidden entries are skipped; links are followed, a folder is read once. A link
/// that cannot be followed and a folder below an argument that cannot be listed are inputs with a fault.
///
/// Format: ".jsonl" or ".ndjson" in the name is JSONL, the usual endings of text files are text, and so is every other
/// file of a folder; ".json", and unknown endings of files that were given themselves, are JSONL where the first line
/// is a whole JSON object or at least begins like one. Compression: ".gz", ".zst", else the file's first bytes.
///
/// Name: of a file its own, of a file in a folder its path below the folder, with the folder's own name first if there
/// is more than one argument; where two would collide, more of the arguments' parent folders come first.
///
/// Errors: kNotFound naming the argument; kIo where an argument cannot be read; kUnsupported for a pipe or a device;
/// kInvalidArgument where nothing is left, a file is given twice (also through links to its folder; a link with a name
/// of its own is a document of its own), or a directly given .json file is not made of lines.
[[nodiscard]] Result<std::vector<Input>> discover(std::span<const std::string> arguments,
                                                  const DiscoverOptions& options);

/// Copies what `descriptor` (such as standard input) still gives to the new file `path` and returns it as an input. Its
/// format is `options.format`, else JSONL where the first byte that is not white space is "{", else text; lines, which
/// are no document, where nothing comes. Its name is "stdin" with the usual ending: "stdin.jsonl", "stdin.txt.gz". The
/// descriptor stays open. Of `context` the wish to stop is heard, also while nothing comes.
/// Errors: kIo, kDiskFull, kCancelled.
[[nodiscard]] Result<Input> spool(int descriptor, const std::string& path, const DiscoverOptions& options,
                                  const Context& context = {});

/// Returns whether `path` matches `pattern` as described at DiscoverOptions.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view path);

}  // namespace neardup::corpus
