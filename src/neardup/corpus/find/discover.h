// Which files are read, and what is in them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/corpus/input.h"

namespace neardup::corpus {

struct DiscoverOptions {
  std::optional<Format> format = std::nullopt;  // instead of detection by name and first bytes
  // One JSON object over many lines is a text, also where it was given itself: in a .json file, one whose name tells
  // nothing, or standard input. Else it is refused, or lines that are no objects.
  bool object_is_text = false;
  // Patterns for files found in folders and by patterns, held against the path below the folder. A pattern without "/"
  // is held against the last part alone. "*" and "?" do not cross "/", "**" does, "[a-z]" and "[!a-z]" are sets.
  std::vector<std::string> include = {};  // empty = all
  std::vector<std::string> exclude = {};  // of a folder that cannot be listed: a pattern of itself, or of all in it
  // A program that makes text of what is not read, such as PDF: it is given the path as its one argument and on
  // standard input, and its output is the file's bytes, in `format` or else text. It runs without a shell, each time
  // that the file is read. Empty: none.
  std::string pre = {};
  // Patterns, as above, of the files that `pre` is given; empty = those of formats that are not read.
  std::vector<std::string> pre_globs = {};
};

/// Expands files, folders and patterns into inputs. Order: of the arguments; in a folder by the bytes of the path below
/// it. Folders are searched to any depth; hidden entries are skipped; links are followed, a folder is read once. A link
/// that cannot be followed and a folder below an argument that cannot be listed are inputs with a fault.
///
/// Format: what the name says, as the table in formats.cc has it, and of .json the first line. Of other names the first
/// bytes are asked, found or given alike: WARC, ARC, Parquet; JSONL are two lines of one object each, or one where the
/// name has no ending or a piece's ("part-00000", "x.00", ".jl"), or what was given itself and begins like an object;
/// else text. In folders of data the neighbours are asked, too, and marks of who wrote them are no inputs
/// (data_folders.h). Compression: ".gz", ".zst", else the first bytes.
///
/// Name: of a file its own, of a file in a folder its path below the folder, with the folder's own name first if there
/// is more than one argument; where two would collide, more of the arguments' parent folders come first.
///
/// Errors: kNotFound naming the argument; kIo where an argument cannot be read; kUnsupported for a pipe or a device,
/// and as detect(); kInvalidArgument where nothing is left, or a file is given twice (also through links to its folder;
/// a link with a name of its own is a document of its own).
[[nodiscard]] Result<std::vector<Input>> discover(std::span<const std::string> arguments,
                                                  const DiscoverOptions& options);

}  // namespace neardup::corpus
