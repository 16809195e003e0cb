// unique_lines(): duplicate lines removed, the same or nearly so, of files of any size or of lines in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/result.h"

namespace neardup {

/// Which lines are the same, and which of them stay. The names and defaults are those of `neardup lines`.
struct LineRules {
  bool ignore_case = false;         // in all scripts
  bool ignore_space = false;        // white space, the CR of CRLF among it
  bool ignore_punctuation = false;  // punctuation and symbols
  int field = 0;                    // only field N counts, from 1; 0: the whole line
  std::string delimiter = {};       // between fields; empty: blanks and tabs
  std::string regex = {};           // only what this expression (RE2) finds counts: its first group, or all of it
  double similar = 0;               // .5 to 1: lines go, too, that have this share of their character n-grams in common
                                    // with one that stays; 0: only lines that are the same
  std::string verify = "content";   // of similar lines: and the same digits, signs, negations and words but for
                                    // misprints; or "origin": and the same digits. Only with `similar`
  bool fast = false;            // 128-bit hashes decide, not the bytes: a line is lost once in 10^19 among a billion
  std::string only = "all";     // or "duplicates", "uniques": each line once, if it repeats, if it does not
  std::string order = "first";  // as they first came, or "sorted": by their bytes
};

/// How many lines went where: read = kept + removed.
struct LineCounts {
  uint64_t read = 0, kept = 0, removed = 0;
  uint64_t minus = 0;        // lines to subtract
  uint64_t without_key = 0;  // of those read: without the field, or where the expression finds nothing; they stay
  uint64_t similar = 0;      // of those removed: nearly the same as one that stays
};

/// Files of lines that become one with fewer.
struct LineFiles {
  std::vector<std::string> inputs = {};  // plain, gzip or zstd by their first bytes; "-": standard input
  std::vector<std::string> minus = {};   // lines of these files are removed, too
  std::string output = {};               // a file; there whole or not at all
  std::string duplicates = {};           // likewise: a line of JSON for each that is removed for a similar one
  LineRules rules = {};
  bool count = false;                // "COUNT<TAB>LINE"
  bool zero_terminated = false;      // lines end with NUL, not with a newline
  std::string compression = "auto";  // of the output: "none", "gzip", "zstd", or by its name
  bool overwrite = false;            // replace `output`
  uint64_t memory_bytes = uint64_t{4} << 30;
  int num_threads = 0;  // 0: one for each core
};

/// Writes what `neardup lines` writes: each different line once, byte for byte, the same for any number of threads and
/// any memory; what does not fit in memory_bytes is compared in the system's folder for temporary files. Errors:
/// kInvalidArgument, kNotFound, kUnsupported (a folder), kMismatch (an input was changed meanwhile), kCorruption (a
/// damaged input), kMemory, kDiskFull, kIo, kCancelled.
[[nodiscard]] Result<LineCounts> unique_lines(const LineFiles& files, const Context& context = {});

/// What is asked of lines in memory.
struct LineTexts {
  LineRules rules = {};
  std::span<const std::string_view> minus = {};  // these are removed, too
  uint64_t memory_bytes = uint64_t{4} << 30;     // beside the lines
  int num_threads = 0;                           // 0: one for each core
};

/// A line that is nearly the same as one that stays.
struct SimilarLine {
  size_t line = 0;
  size_t duplicate_of = 0;  // of `minus` where of_minus
  bool of_minus = false;
  double similarity = 0;  // the Jaccard similarity of their character n-grams
};

struct UniqueLines {
  std::vector<size_t> kept = {};          // numbers of the lines that stay, in their order or sorted by the lines
  std::vector<uint64_t> times = {};       // how often each of these comes, those that are removed for it included
  std::vector<SimilarLine> similar = {};  // each that is removed for a similar one, in their order
  LineCounts counts = {};
};

/// Returns which of `lines` stay. A line may be any bytes, newlines too. Errors: kInvalidArgument, kCancelled; kMemory
/// where the different lines do not fit in memory_bytes. Threads: any number of calls.
[[nodiscard]] Result<UniqueLines> unique_lines(std::span<const std::string_view> lines, const LineTexts& options = {},
                                               const Context& context = {});

}  // namespace neardup
