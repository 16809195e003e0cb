// The private side of a Batch: its bytes and the tools to read them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "neardup/corpus/batch.h"
#include "neardup/corpus/formats/json_line.h"
#include "neardup/corpus/raw_buffer.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/units.h"

namespace neardup::corpus {

struct CsvHeader;
struct WarcBatch;
class ParquetFile;

/// A record of CSV that is longer than allowed: what of it stands in the batch, and what is left out behind it.
struct CsvCut {
  size_t begin = 0;
  size_t end = 0;
  uint64_t missing_bytes = 0;
  uint64_t missing_lines = 0;
  bool has_open_quote = false;  // at the end of the input
};

struct BatchBuffers {
  Unit unit;
  bool is_stream = false;  // raw was filled by next(), from compressed data
  RawBuffer raw;           // lines: the input's bytes; its records start in [begin, end)
  size_t begin = 0;
  size_t end = 0;
  std::optional<Rejection> tail;  // what follows the last line; its line number is set when the lines are counted
  Arena arena;                    // unescaped texts and ids, repaired lines, whole text files
  RawBuffer unpacked;             // text files: room to decompress
  std::unique_ptr<JsonLine> json;
  uint64_t first_line = 0;                      // of CSV: lines of the batch before `begin`, the header's
  std::shared_ptr<const CsvHeader> csv_header;  // of CSV, where it could be read
  std::vector<CsvCut> csv_cuts;                 // likewise, in order
  std::shared_ptr<WarcBatch> warc;              // of WARC
  std::shared_ptr<ParquetFile> parquet;         // of Parquet, where it could be opened
  MemoryBudget::Permit permit;                  // of a long record
};

/// Comes before `size_bytes` are held for a batch. Waits for a permit where that is much and there is none yet.
inline void ask_for_memory(const ReadOptions& options, uint64_t size_bytes, BatchBuffers& buffers) {
  if (options.record_memory == nullptr || buffers.permit.holds()) return;
  if (size_bytes <= std::max(2 * options.batch_bytes, options.record_memory->light_raw_bytes)) return;
  buffers.permit = options.record_memory->budget.acquire(options.record_memory->budget.capacity_bytes());
}

/// The message of a record that is too long, after what it is.
[[nodiscard]] inline std::string too_long_message(const ReadOptions& options) {
  return "longer than " + std::to_string(options.max_record_bytes) + " bytes, the longest record allowed" +
         (options.too_long_cure.empty() ? "" : "; " + options.too_long_cure);
}

/// The most bytes that a Rejection shows.
constexpr size_t kExcerptBytes = 200;

/// Where a line that is too long is cut: enough of it to tell that it is, also behind a byte order mark, and to show
/// it.
[[nodiscard]] inline size_t cut_length(uint64_t max_record_bytes) {
  return static_cast<size_t>(max_record_bytes) + kExcerptBytes + 4;
}

/// Finds the first or last \n in `bytes`; npos where there is none.
[[nodiscard]] inline size_t find_line_end(std::string_view bytes, size_t from) {
  if (from >= bytes.size()) return std::string_view::npos;
  const void* found = std::memchr(bytes.data() + from, '\n', bytes.size() - from);
  return found == nullptr ? std::string_view::npos
                          : static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
}
[[nodiscard]] inline size_t find_last_line_end(std::string_view bytes) {
  const void* found = bytes.empty() ? nullptr : ::memrchr(bytes.data(), '\n', bytes.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<size_t>(static_cast<const char*>(found) - bytes.data());
}

}  // namespace neardup::corpus
