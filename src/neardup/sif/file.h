// A file among others, and what is known of it.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/base/hash.h"

namespace neardup::sif {

/// What changes when a file is written to or another one is put in its place.
struct FileStamp {
  uint64_t size_bytes = 0;  // on disk
  int64_t modified_ns = 0;  // since 1970
  int64_t changed_ns = 0;   // the same, of its bytes or what the system knows of it: nobody can put it back
  uint64_t number = 0;      // of its inode
  bool operator==(const FileStamp&) const = default;
};

/// A file that was found and may be read.
struct FoundFile {
  std::string path;  // as it was given, with what lies below a folder behind it
  FileStamp stamp;
  bool is_reference = false;
};

/// One that is not compared, and why, for people.
struct SkippedFile {
  std::string path;
  std::string reason;
  bool is_failure = false;  // it could not be read; else it is of a kind that is left out
};

/// A file that was found, and what is known once it was read.
struct File {
  std::string path;
  uint64_t size_bytes = 0;  // as it was read: of a compressed file what it holds
  Hash128 checksum;         // of these bytes
  uint64_t weight = 0;      // of all its fingerprints: about how many substrings it has, or 64 times as many (kWeigh)
  uint32_t num_fingerprints = 0;
  uint32_t language = 0;  // that it is folded by (fold_code.h); 0: none
  uint32_t same_as = 0;   // the first file of its side with the same bytes and language; itself where none is before it
  bool is_reference = false;
  bool is_small = false;  // fingerprint_file.h
  bool is_read = false;   // else it was skipped
};

/// Returns `path` in printable form on one line: a backslash, control characters and bytes that are not UTF-8 become
/// \\, \t, \n, \r or \xNN. Different paths stay different.
[[nodiscard]] std::string printable_path(std::string_view path);
/// Returns whether all of `path` is UTF-8.
[[nodiscard]] bool is_utf8(std::string_view path);

}  // namespace neardup::sif
