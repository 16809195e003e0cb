// What unique_lines() is asked for, and what it did.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/corpus/compression.h"

namespace neardup::lines {

/// Which of the lines are shown, each once.
enum class Show {
  kAll,       // every different line
  kRepeated,  // those that occur more than once
  kSingle,    // those that occur once
};

enum class Order {
  kFirst,   // as they first appear in the inputs
  kSorted,  // by their bytes, as unsigned numbers
};

/// What two lines must have in common to be the same: by default all their bytes. First a part of the line is taken,
/// then what is ignored goes out of it. A line without that part is like no other line.
struct KeyOptions {
  int field = 0;                    // from 1; 0 = the whole line
  std::string delimiter = {};       // between fields; empty = runs of blanks and tabs, those at the begin ignored
  std::string pattern = {};         // RE2: the first group of the first match, or all of it where there is no group
  bool ignore_case = false;         // by Unicode's simple case folding
  bool ignore_space = false;        // white space of Unicode, the CR of CRLF among it
  bool ignore_punctuation = false;  // Unicode's categories P and S
};

/// Takes the bytes of the output in order; called by one thread at a time, not always the same one.
using WriteBytes = std::function<Status(std::string_view bytes)>;

/// Which lines are nearly the same: by their characters, docs/lines.md.
struct SimilarOptions {
  double share = 0.7;       // .5 to 1: Jaccard similarity of the sets of character n-grams
  bool origin = false;      // --verify origin: only digits must be the same; else signs, negations and words, too
  WriteBytes removed = {};  // takes a line of JSON for each line that is removed for another one, where it is there
};

struct LinesOptions {
  std::vector<std::string> inputs = {};  // files, plain, gzip or zstd by their first bytes; "-" = standard input, once
  std::vector<std::string> minus = {};   // lines of these files are removed, too
  Show show = Show::kAll;
  Order order = Order::kFirst;
  bool count = false;    // "COUNT<TAB>LINE"
  char line_end = '\n';  // or '\0'
  KeyOptions key = {};
  std::optional<SimilarOptions> similar = {};  // lines that are nearly the same as one before them are removed, too
  bool fast = false;  // 128-bit hashes decide instead of bytes: n different lines lose one with p < n^2 / 2^129
  corpus::Compression compression = corpus::Compression::kNone;  // of what is written
  uint64_t memory_bytes = uint64_t{4} << 30;                     // beyond it work goes to the place for temporary files
  int num_threads = 0;                                           // 0 = all cores
  Context context = {};
};

/// The least memory_bytes.
inline constexpr uint64_t kSmallestMemory = uint64_t{32} << 20;

struct LinesTotals {
  uint64_t read = 0;     // lines of the inputs = kept + removed
  uint64_t kept = 0;     // written
  uint64_t removed = 0;  // not written
  uint64_t minus = 0;    // lines of the minus files
  uint64_t without_key = 0;
  uint64_t similar = 0;        // of those removed: different ones that are nearly the same as one before
  uint64_t read_bytes = 0;     // of the inputs, decompressed
  uint64_t written_bytes = 0;  // before compression
  uint64_t parted = 0;         // lines that were more than memory held: their keys went to the disk
};

/// One line of those in memory that are left.
struct KeptLine {
  uint64_t index = 0;
  uint64_t count = 1;  // so often it comes
};

/// One that is removed because it is nearly the same as another one.
struct SimilarLine {
  uint64_t index = 0;
  uint64_t duplicate_of = 0;  // of the minus lines where of_minus
  bool of_minus = false;
  float similarity = 0;
};

struct KeptLines {
  std::vector<KeptLine> lines;
  std::vector<SimilarLine> similar;  // by their index
  LinesTotals totals;
};

}  // namespace neardup::lines
