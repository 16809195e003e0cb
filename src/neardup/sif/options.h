// What is asked of the search for similar files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/disk/file_id.h"

namespace neardup::sif {

/// Which of a file's substrings are kept as its fingerprints. Each way looks at the bytes alone, never at where in the
/// file they stand, so that files which share a passage keep the same ones of it.
enum class SelectionKind {
  kWinnow,   // of every `window` substrings in a row the one that is least (Schleimer, Wilkerson, Aiken 2003)
  kSample,   // those whose polynomial ends in `zero_bits` bits 0 (Manber 1994)
  kAnchors,  // those that begin with one of `anchors` (Manber 1994)
};

struct Selection {
  SelectionKind kind = SelectionKind::kWinnow;
  uint32_t substring_bytes = 50;
  uint32_t window = 64;
  uint32_t zero_bits = 6;
  std::vector<std::string> anchors = {};  // empty: those of selector.cc
  bool operator==(const Selection&) const = default;
};

inline constexpr uint32_t kMinSubstring = 4, kMaxSubstring = 4096;
inline constexpr uint32_t kMinWindow = 1, kMaxWindow = 4096;
inline constexpr uint32_t kMaxZeroBits = 24;

/// Returns whether the numbers are within the bounds above. Errors: kInvalidArgument.
[[nodiscard]] Status check_selection(const Selection& selection);

/// Which files of a folder are read. A file that is given itself always is.
struct FileFilter {
  std::vector<std::string> include = {};  // patterns (corpus/find/glob.h) of paths below the folder; empty: all
  std::vector<std::string> exclude = {};
  bool hidden = false;  // also names that begin with "."
  bool binary = false;  // also files with a NUL among their first 8 KiB, decompressed
};

/// What of a file is compared.
enum class Fold {
  kNone,   // all bytes
  kSpace,  // of text: white space in a row as one blank, none at the ends; of binary files all bytes
  kCode,   // of source code, told by the endings of names: no white space, no comments, all identifiers alike; of other
           // files as kSpace
};

/// What becomes of passages that very many files hold, such as licences.
enum class CommonPassages {
  kCount,   // they count as all others do
  kWeigh,   // the less, the more files hold them: `common_files` divided by how many do
  kIgnore,  // they count for nothing, as if they were in no file
};

struct SimilarOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> references = {};  // not empty: inputs are compared with these, and not with each other
  FileFilter filter = {};
  std::vector<FileId> left_out = {};      // in folders: such as what the results are written to
  std::vector<std::string> outputs = {};  // files that will be replaced: to find one of them is an error
  Selection selection = {};
  Fold fold = Fold::kSpace;
  std::string index_folder = {};  // fingerprints are kept there for the next run; empty: they are not
  double threshold = 0.25;        // pairs of which at least one file has so much of itself in the other, 0 to 1
  bool verify = false;            // all pairs are counted in all substrings, not only those near the threshold
  CommonPassages common = CommonPassages::kCount;
  uint64_t common_files = 0;  // a passage in more files is common; 0: in a twentieth of all, at least 20
  uint64_t memory_bytes = uint64_t{4} << 30;
  int num_threads = 0;
  Context context = {};
};

}  // namespace neardup::sif
