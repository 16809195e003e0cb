// The Reader: inputs as a fixed sequence of batches that any thread can load.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neardup/base/base.h"
#include "neardup/corpus/batch.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"

namespace neardup::corpus {

/// Reads inputs as batches.
///
/// Lines end at \n alone, the last one also at the end of the file. Lines of nothing but space, tab and \r are counted
/// but are no records. A plain file is cut every batch_bytes bytes, and a batch owns the lines that start in its
/// range; a compressed file is cut at the first line end after batch_bytes bytes; plain text files are gathered whole
/// until they reach batch_bytes or are 4,096, a compressed one is a batch.
///
/// A row of CSV or TSV ends at a \n outside quotes, so next() looks at all bytes of such a file in order; load() reads
/// none. Its batches own the rows that start in their range, as with lines. The header row is no record; a Sink
/// writes it again. A row's line is the one on which it starts.
///
/// A JSONL line must be one JSON object, valid from end to end, nested at most 1,024 deep, but only the wanted fields
/// are looked at. A byte order mark before it is no fault (files put together have them inside). Invalid UTF-8 and lone
/// surrogate escapes reject nothing: each run of bad bytes, and each lone surrogate, becomes U+FFFD in id, text, value
/// and group. `record` is always the untouched input.
///
/// Memory of a batch: its bytes, its unescaped texts (a text without escapes is a view of the bytes), and a parser's
/// table of 4 bytes for each token of its longest line.
class Reader {
 public:
  /// Errors: kInvalidArgument where an option is out of its range.
  [[nodiscard]] static Result<Reader> open(std::vector<Input> inputs, const ReadOptions& options);
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  /// Restricts the reader to shard `index` of `count`: the batches of shards 0..count-1, one after the other, are those
  /// of an unrestricted reader (but for Batch::index). Cuts are at batch borders, compressed files stay whole; shards
  /// are balanced by bytes on disk. Call before next(). Requires: 0 <= index < count.
  void set_shard(int index, int count);
  /// Returns the bytes on disk that the batches will consume in all (of this shard), for progress.
  [[nodiscard]] uint64_t total_bytes() const;

  /// Prepares `batch` as the next one; false at the end. Of plain files it reads tables alone;
  /// compressed ones it decompresses. Errors: kNotFound (the input went away), kIo where the system is out of file
  /// handles. Damaged compressed data and refused reads are not errors but rejections. Threads: one at a time.
  [[nodiscard]] Result<bool> next(Batch& batch);
  /// Reads and parses the batch. Errors: as next(). Threads: any, one per batch.
  [[nodiscard]] Status load(Batch& batch) const;
  /// Like load() but fills only input, line and record of each non-blank line, JSON not parsed: for copying. Rejections
  /// are only those that need no parsing. Line numbers are those of load().
  [[nodiscard]] Status load_records(Batch& batch) const;

  [[nodiscard]] const std::vector<Input>& inputs() const;

 private:
  struct Impl;
  explicit Reader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Whether the batch holds the permit of a long record.
[[nodiscard]] bool holds_record_memory(const Batch& batch);
/// Gives all memory of the batch's documents back, and the permit. What else is told of the batch stays.
void drop_documents(Batch& batch);

}  // namespace neardup::corpus
