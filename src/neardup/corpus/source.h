// Source: how documents come out of the inputs of one format.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/corpus/batch.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/units.h"

namespace neardup::corpus {

struct BatchBuffers;
struct ReadPlan;

enum class Load {
  kDocuments,  // records parsed
  kRecords,    // input, line and record alone, for copying
};

/// The bytes of one input from its start to its end, for formats whose records can be found in no other way: because
/// the input is compressed, or because what a line end means depends on what came before. Threads: one at a time.
class BatchStream {
 public:
  virtual ~BatchStream() = default;
  /// Fills the bytes of `buffers` with whole records: of a plain input those that start before byte `end_byte` of it,
  /// of a compressed one what comes up to the first record end at or after ReadOptions::batch_bytes. Returns false at
  /// the end of a compressed input. Errors: as Reader::next().
  virtual Result<bool> fill(uint64_t end_byte, BatchBuffers& buffers) = 0;
  /// Reads over the records of a plain input that start before `byte`. Errors: as fill().
  virtual Status skip_to(uint64_t byte) = 0;
  /// Bytes on disk used so far.
  [[nodiscard]] virtual uint64_t consumed() const = 0;
};

/// One object a format, without a state: its row in formats.h points to it. Threads: any.
class Source {
 public:
  virtual ~Source() = default;

  /// Appends what the batches of inputs[index] take, or lets the last unit take it too. What does not override it cuts
  /// plain files every `options.batch_bytes`; a compressed one is a unit.
  virtual void cut(const std::vector<Input>& inputs, uint32_t index, const ReadOptions& options,
                   std::vector<Unit>& units) const;
  /// Returns whether Reader::next() must read `input` from its start on, by open_stream(), before its batches can be
  /// loaded in any order. What does not override it does so where the input is compressed.
  [[nodiscard]] virtual bool is_stream(const Input& input) const;
  /// Requires: is_stream(input). Errors: as Reader::next().
  [[nodiscard]] virtual Result<std::unique_ptr<BatchStream>> open_stream(const Input& input,
                                                                         const ReadOptions& options) const;
  /// Fills documents, rejections and num_lines of `batch`, reading the bytes of its unit where no stream has filled
  /// them. Errors: as Reader::load().
  [[nodiscard]] virtual Status load(const ReadPlan& plan, Load what, Batch& batch) const = 0;
};

/// The one object of each format.
[[nodiscard]] const Source& jsonl_source();
[[nodiscard]] const Source& lines_source();
[[nodiscard]] const Source& text_source();
[[nodiscard]] const Source& csv_source();
[[nodiscard]] const Source& tsv_source();
[[nodiscard]] const Source& warc_source();
[[nodiscard]] const Source& rows_source();
[[nodiscard]] const Source& parquet_source();

}  // namespace neardup::corpus
