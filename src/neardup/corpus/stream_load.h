// The lines of a compressed file, or of what a program makes of one, batch by batch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/input_bytes.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {

/// Threads: one at a time.
class LineStream : public BatchStream {
 public:
  /// Errors: as InputBytes::open().
  [[nodiscard]] static Result<LineStream> open(const Input& input, const ReadOptions& options);

  /// Fills raw, begin, end and tail of `buffers` with whole lines: up to the first line end at or after batch_bytes;
  /// false at the end. A line longer than max_record_bytes ends its batch, cut but still longer than allowed. Errors:
  /// as InputBytes::read().
  [[nodiscard]] Result<bool> fill(uint64_t end_byte, BatchBuffers& buffers) override;
  /// Only what is compressed is read so, and that is one unit.
  [[nodiscard]] Status skip_to(uint64_t) override { return {}; }
  [[nodiscard]] uint64_t consumed() const override { return stream_.consumed(); }

 private:
  LineStream(InputBytes stream, const ReadOptions& options) : stream_(std::move(stream)), options_(options) {}

  Result<size_t> read_more(RawBuffer& raw);
  Status skip_line();
  void finish(BatchBuffers& buffers);

  InputBytes stream_;
  ReadOptions options_;
  std::string rest_;          // what was read beyond the last batch
  bool is_reported_ = false;  // the damage, once
};

}  // namespace neardup::corpus
