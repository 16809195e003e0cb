// similar_files(): which files share passages, and how much of each is in the other; what `neardup similar` does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/result.h"

namespace neardup {

/// The words and their defaults are those of the command line (docs/similar.md).
struct SimilarFilesOptions {
  std::vector<std::string> references = {};  // not empty: inputs are compared with these, not with each other
  std::vector<std::string> include = {};     // files of folders: only those, such as "*.py" or "src/**"
  std::vector<std::string> exclude = {};
  bool hidden = false;            // also names that begin with "."
  bool binary = false;            // also files that look binary
  std::string index = {};         // a folder that keeps fingerprints, so that the next run reads only what changed
  double threshold = 0.25;        // least share of one file that is in the other, 0 to 1
  bool verify = false;            // count all pairs; else those within .03 of the threshold, others are estimated
  std::string fold = "space";     // white space in a row is one blank; "none": bytes as they are; "code": source files
                                  // without white space, comments and names of identifiers
  std::string common = "count";   // "weigh", "ignore": passages that many files hold
  uint64_t common_files = 0;      // a passage in more files is common; 0: in a twentieth of all, at least 20
  std::string select = "winnow";  // "sample", "anchors": which substrings are fingerprints
  uint32_t substring = 50;        // bytes
  uint32_t window = 64;           // winnow: one of so many substrings in a row is kept
  uint32_t zero_bits = 6;         // sample: one of 2^zero_bits
  std::vector<std::string> anchor = {};  // anchors: substrings that begin with it are kept; empty: some usual ones
  uint64_t show = 0;                     // so many of the longest passages of each pair
  uint64_t memory_bytes = uint64_t{4} << 30;
  int num_threads = 0;  // 0: one for each core
};

/// A piece of a file: bytes [begin, end), and the lines that they are part of, counted from 1.
struct FileRange {
  uint64_t begin = 0, end = 0;
  uint64_t first_line = 0, last_line = 0;
};

/// A passage that both files of a pair have.
struct SharedPassage {
  FileRange a, b;
};

/// Two files, and which share of the one's different substrings is in the other, 0 to 1.
struct SimilarFilePair {
  std::string a, b;  // as they were given; with references b is one of them, or an input that equals a
  double a_in_b = 0, b_in_a = 0;
  bool is_equal = false;  // the same bytes, by their 128-bit checksums
  bool is_exact = false;  // counted; else estimated
  uint64_t a_bytes = 0, b_bytes = 0;
  std::vector<SharedPassage> passages = {};  // the longest first; none of equal files
  std::string passages_reason = {};          // why there are none: a file is gone, has changed since or is too large
};

/// A file that was not compared, and why.
struct SkippedPath {
  std::string path, reason;
};

struct SimilarFilesResult {
  std::vector<SimilarFilePair> pairs;            // equal files first, then the most similar
  std::vector<std::vector<std::string>> groups;  // files that are connected by pairs, the largest first
  std::vector<SkippedPath> skipped;              // by path
  uint64_t num_files = 0;                        // that were compared
  uint64_t num_reused = 0;                       // of these, that the index knew and that were not read
  uint64_t read_bytes = 0;
};

/// Compares all files of `paths`, files and folders, with each other or with options.references. The same for any
/// number of threads. Errors: kNotFound, kIo of what is given; kInvalidArgument of options; kMismatch where the index
/// is of others, kCorruption where it is damaged; kDiskFull; kMemory where files, their fingerprints or pairs need more
/// than memory_bytes; kCancelled.
[[nodiscard]] Result<SimilarFilesResult> similar_files(const std::vector<std::string>& paths,
                                                       const SimilarFilesOptions& options = {},
                                                       const Context& context = {});

}  // namespace neardup
