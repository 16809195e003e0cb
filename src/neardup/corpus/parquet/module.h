// The seam between the program and the module that reads and writes Parquet by libparquet (bindings/parquet): a shared
// library that is opened when the first Parquet file is met, so that the program itself needs no libarrow.
//
// It is small and stands alone: the standard library's types and nothing else of ours. Both sides are compiled from
// this header, by the same compiler; kSeamBuild, which each side writes down, tells them when they were not.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::corpus::parquet {

/// A page holds some records, and is unpacked whole: so many bytes it may have where a record has `record_bytes`.
constexpr uint64_t page_bytes_of(uint64_t record_bytes) { return 4 * record_bytes + (uint64_t{64} << 20); }
/// Returns the least `record_bytes`, in MiB, whose page_bytes_of() is `page_bytes` or more; at least 1.
constexpr uint64_t record_mib_of(uint64_t page_bytes) {
  constexpr uint64_t kOther = uint64_t{64} << 20, kOfMib = uint64_t{4} << 20;
  return page_bytes <= kOther + kOfMib ? 1 : (page_bytes - kOther + kOfMib - 1) / kOfMib;
}

/// What went wrong with a file. kHost: reading or writing by the host's own object failed, which knows why.
enum class Fault : uint8_t { kNone, kCorrupt, kTruncated, kUnsupported, kTooLarge, kNoColumn, kNotText, kHost };

struct Problem {
  Fault fault = Fault::kNone;
  std::string message;
};

/// The bytes of a file. Threads: any.
class HostFile {
 public:
  virtual ~HostFile() = default;
  [[nodiscard]] virtual uint64_t size_bytes() const = 0;
  /// Reads `size` bytes at `offset` to `out`, fewer at the end of the file; `got` tells how many. Returns false where
  /// the system fails.
  [[nodiscard]] virtual bool read_at(uint64_t offset, char* out, size_t size, size_t& got) const = 0;
  /// Returns whether a read_at() has failed.
  [[nodiscard]] virtual bool failed() const = 0;
};

/// Where a file is written.
class HostOutput {
 public:
  virtual ~HostOutput() = default;
  /// Returns false where the system fails.
  [[nodiscard]] virtual bool write(std::string_view bytes) = 0;
};

/// kText: a string, bytes, a date or a time as ISO 8601 has it; kInteger: its digits; kOther: raw JSON.
enum class Kind : uint8_t { kNull, kText, kInteger, kOther };

/// Is given the values of a slice, column by column.
class HostRows {
 public:
  virtual ~HostRows() = default;
  /// `row` counts from the slice's first one; `bytes` live until it returns. Returns false where it takes no more.
  [[nodiscard]] virtual bool take(size_t key, uint64_t row, Kind kind, std::string_view bytes) = 0;
};

/// What is read of a file. A text may stand in a list: "tags[]" are its strings, "messages[].content" a field of each
/// of its items.
struct ColumnKey {
  std::string name;
  bool is_text = false;
};

struct Group {
  uint64_t first_row = 0;  // in the file
  uint64_t num_rows = 0;
  uint64_t packed_bytes = 0;  // of its columns, in the file
};

/// An opened file: its footer is read and looks sound. Threads: any.
class Table {
 public:
  virtual ~Table() = default;
  [[nodiscard]] virtual uint32_t num_groups() const = 0;
  /// Requires: index < num_groups().
  [[nodiscard]] virtual Group group(uint32_t index) const = 0;
  /// Returns the names of the first columns, such as "'id', 'text'".
  [[nodiscard]] virtual std::string column_names() const = 0;
  /// Looks for the text column `key`: a column, or "a.b" a field of a struct, of strings or bytes; or those of a list.
  /// Problems: kNoColumn, kNotText.
  [[nodiscard]] virtual bool find_text(std::string_view key, Problem& problem) const = 0;
  /// Returns whether read() hands over the values of the column `key`, or the file has no such column. Problems:
  /// kUnsupported, such as "column 'tags' is a list".
  [[nodiscard]] virtual bool is_readable(std::string_view key, Problem& problem) const = 0;
  /// Appends to `rows` the first row, counted in the group, of each slice of group `index`: whole pages of the text
  /// column until they hold `most_bytes`, and at most `most_rows` rows. Requires: find_text(key). Cost: one look at the
  /// header of each page; of lists, whose pages do not tell their rows, the column is read. Problems: those of pages
  /// that are not what the footer says.
  [[nodiscard]] virtual bool cut(uint32_t index, std::string_view key, uint64_t most_bytes, uint64_t most_rows,
                                 std::vector<uint64_t>& rows, Problem& problem) = 0;
  /// Reads the columns of group `index` from end to end, once for all callers, but for those that read() with the same
  /// `keys` reads: rows of a group that passes here, and in read(), can be written again.
  [[nodiscard]] virtual bool check(uint32_t index, std::span<const ColumnKey> keys, Problem& problem) = 0;
  /// Hands the values of the columns `keys` in rows [first_row, first_row + num_rows) of group `index` to `rows`. A key
  /// that is empty, or names no column of single values, and no text, has none. The text of a list is its strings with
  /// a blank line between, but for nulls and empty ones, and null where it has nulls alone; one that is too long for a
  /// record is cut off behind that. Cost: the pages that hold these rows.
  /// Problems: kCorrupt, kTooLarge.
  [[nodiscard]] virtual bool read(uint32_t index, uint64_t first_row, uint64_t num_rows,
                                  std::span<const ColumnKey> keys, HostRows& rows, Problem& problem) = 0;
};

/// What is noted of a row beside it.
struct RowNote {
  bool has_duplicate_of = false;
  std::string duplicate_of;
  bool has_cluster = false;
  uint32_t cluster = 0;
};

/// Writes some rows of a Table again: same schema, key-value metadata, row groups, and of each column the codec.
/// Threads: one at a time.
class Writer {
 public:
  virtual ~Writer() = default;
  /// Writes the rows `rows` of group `index`, ascending and not empty, with `notes` beside them where the writer takes
  /// them. Memory: pages, and what dictionary encoding holds back. Problems: kCorrupt, kHost.
  [[nodiscard]] virtual bool add(uint32_t index, std::span<const uint32_t> rows, std::span<const RowNote> notes,
                                 Problem& problem) = 0;
  /// Writes the footer.
  [[nodiscard]] virtual bool finish(Problem& problem) = 0;
};

class Module {
 public:
  virtual ~Module() = default;
  /// Opens `file`, which must outlive the table. A page or a footer that needs more than `most_bytes` at once is
  /// refused. Problems: kTruncated, kCorrupt, kUnsupported (encrypted), kTooLarge.
  [[nodiscard]] virtual std::unique_ptr<Table> open(const HostFile& file, uint64_t most_bytes,
                                                    Problem& problem) const = 0;
  /// `table` must be one of open(), and outlive the writer as `output` does. `takes_notes`: two more columns.
  [[nodiscard]] virtual std::unique_ptr<Writer> write(Table& table, bool takes_notes, HostOutput& output,
                                                      Problem& problem) const = 0;
};

/// What a module shows before anything else of it is looked at: plain bytes, the same in every build.
struct ModuleHead {
  char magic[8];        // kModuleMagic
  const char* build;    // kSeamBuild of its compilation
  const char* library;  // such as "Arrow 26.0.1"
  const Module* module;
};

inline constexpr char kModuleMagic[8] = {'n', 'd', 'p', 'a', 'r', 'q', '0', '1'};
/// The one symbol of a module: const ModuleHead* neardup_parquet_module().
inline constexpr const char* kModuleSymbol = "neardup_parquet_module";
inline constexpr const char* kModuleFile = "libneardup_parquet.so";

/// NEARDUP_SEAM_DIGEST is the version and the checksum of this header, from the build system (cmake/NeardupSeam.cmake).
#ifdef NEARDUP_SEAM_DIGEST
inline constexpr const char* kSeamBuild = NEARDUP_SEAM_DIGEST;
#endif

}  // namespace neardup::corpus::parquet
