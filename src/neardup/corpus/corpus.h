// corpus: where documents come from and go to: JSONL, lines, text files and folders, plain, gzip or zstd.
//
// A Reader cuts the inputs into batches in a fixed order that depends only on the inputs and the options, never on
// threads: next() hands batches out one after the other, load() fills them on any thread.
//
//   NEARDUP_ASSIGN(auto inputs, corpus::discover(arguments, {}));
//   NEARDUP_ASSIGN(auto reader, corpus::Reader::open(inputs, {}));
//   for (corpus::Batch batch; *reader.next(batch);) { *reader.load(batch); use(batch.documents); }
#pragma once

#include <cstdint>
#include <memory>
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
  std::string name;  // relative, unique among the inputs, without "..": where its kept documents go below the output folder
  Format format = Format::kText;
  Compression compression = Compression::kNone;
  uint64_t size_bytes = 0;  // on disk
  int64_t modified_ns = 0;
  bool operator==(const Input&) const = default;
};

struct DiscoverOptions {
  std::optional<Format> format;          // instead of detection by name and first bytes
  std::vector<std::string> include = {}; // globs on the relative path; empty = all. "*" does not cross "/", "**" does
  std::vector<std::string> exclude = {};
};

/// Expands files, folders (recursive, sorted by bytes of the path, hidden entries and symbolic link loops skipped) and
/// globs into inputs. Errors: kNotFound naming the argument; kInvalidArgument where nothing is left or a file is given twice.
[[nodiscard]] Result<std::vector<Input>> discover(std::span<const std::string> arguments, const DiscoverOptions& options);

struct ReadOptions {
  std::string text_key = "text";     // JSONL: "a.b" names a nested field where no field of that very name exists
  std::string id_key = "id";         // a string or an integer
  std::string value_key;             // JSONL: one more field to hand over as its raw JSON; empty = none
  std::string group_key;             // JSONL: likewise, for counts per field
  uint64_t batch_bytes = 1 << 20;    // of input (after decompression) in one batch
  uint64_t max_record_bytes = 64 << 20;  // a longer line or text file is rejected, not loaded
};

/// One document. Views live until the batch is loaded again.
struct Document {
  uint32_t input = 0;          // index in the inputs
  uint64_t line = 0;           // lines since the start of the batch, from 0
  bool has_id = false;
  std::string_view id;         // text files: their name
  std::string_view text;
  std::string_view record;     // the input's bytes without the line end
  std::string_view value;      // raw JSON of value_key, empty where missing
  std::string_view group;      // of group_key: text of a string, else raw JSON
};

/// A record that is not a document, and why.
struct Rejection {
  uint32_t input = 0;
  uint64_t line = 0;           // as in Document
  std::string reason;          // one word: "invalid_json", "missing_text", "not_a_string", "too_long", "truncated", "unreadable"
  std::string message;         // what was found
  std::string excerpt;         // its first 200 bytes
};

/// Consecutive records of one input (text files: of several inputs).
struct Batch {
  uint64_t index = 0;          // 0, 1, 2, ...
  uint32_t first_input = 0;
  uint64_t bytes = 0;          // consumed of the inputs' bytes on disk, for progress
  uint64_t num_lines = 0;      // lines that start in this batch (text files: 0)
  std::vector<Document> documents;      // in order
  std::vector<Rejection> rejections;    // in order
  // Private to the Reader:
  uint64_t begin = 0, end = 0;
  uint32_t last_input = 0;
  bool first_of_input = false;
  bool raw_is_loaded = false;
  std::string raw;             // input bytes
  std::string arena;           // unescaped texts and ids
  std::shared_ptr<void> parser;
};

/// Reads inputs as batches.
class Reader {
 public:
  /// `first_unit`, `num_units` choose a slice for one shard: see units().
  [[nodiscard]] static Result<Reader> open(std::vector<Input> inputs, const ReadOptions& options);
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  /// Restricts the reader to shard `index` of `count`: the batches of shards 0..count-1, one after the other, hold the
  /// documents of an unrestricted reader in its order, cut at batch or file borders. Call before next().
  void set_shard(int index, int count);
  /// Prepares `batch` as the next one; false at the end. Threads: one at a time.
  /// Errors: kIo, kNotFound (the input went away). Damaged compressed data is not an error but a rejection ("truncated").
  [[nodiscard]] Result<bool> next(Batch& batch);
  /// Reads and parses the batch. Threads: any, one per batch.
  [[nodiscard]] Status load(Batch& batch) const;
  /// Like load() but fills only input, line and record of each non-blank line, JSON not parsed: for copying.
  [[nodiscard]] Status load_records(Batch& batch) const;

  [[nodiscard]] const std::vector<Input>& inputs() const;

 private:
  struct Impl;
  explicit Reader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Returns `bytes` as one complete gzip member or zstd frame; such pieces one after the other are a valid file.
[[nodiscard]] Result<std::string> compress(Compression compression, std::string_view bytes);

/// Appends `record` (a JSON object) to `out` with `members` ("\"a\":1,\"b\":2") added before its closing brace.
void append_annotated_json(std::string& out, std::string_view record, std::string_view members);

}  // namespace neardup::corpus
