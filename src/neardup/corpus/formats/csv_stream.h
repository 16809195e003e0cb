// The records of a CSV or TSV file, batch by batch from its start on: whether a line end is one of a record can only be
// told by who has seen all quotes before it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/formats/csv_header.h"
#include "neardup/corpus/formats/csv_splitter.h"
#include "neardup/corpus/input_bytes.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {

/// Threads: one at a time. Memory: a batch, and one record of at most max_record_bytes.
class CsvStream : public BatchStream {
 public:
  /// Reads the header row. Errors: as Reader::next().
  [[nodiscard]] static Result<std::unique_ptr<CsvStream>> open(const Input& input, const ReadOptions& options,
                                                               const CsvDialect& dialect);

  /// A record longer than max_record_bytes stands cut in the batch, still longer than allowed, and among its cuts.
  Result<bool> fill(uint64_t end_byte, BatchBuffers& buffers) override;
  Status skip_to(uint64_t byte) override;
  [[nodiscard]] uint64_t consumed() const override { return bytes_.consumed(); }

 private:
  CsvStream(InputBytes bytes, const Input& input, const ReadOptions& options, const CsvDialect& dialect)
      : bytes_(std::move(bytes)),
        is_plain_(!input.is_packed()),
        path_(input.path),
        whole_(bytes_.unread_behind(0)),
        options_(options),
        dialect_(dialect),
        splitter_(dialect, options.max_record_bytes) {}

  Status read_header();
  Status take_header(std::string head, size_t begin, size_t end);
  void refuse_header(const std::string& why, std::string_view excerpt);
  [[nodiscard]] size_t least_bytes(uint64_t end_byte) const;
  void begin(BatchBuffers& buffers);
  Status split(size_t least, BatchBuffers& buffers);
  Status cut_record(BatchBuffers& buffers);
  void finish(BatchBuffers& buffers);
  Result<size_t> read_more(size_t least, RawBuffer& raw);

  InputBytes bytes_;
  const bool is_plain_;
  const std::string path_;
  const Unread whole_;  // what is lost with the header row
  const ReadOptions options_;
  const CsvDialect dialect_;
  CsvSplitter splitter_;
  std::shared_ptr<const CsvHeader> header_;  // null: there is none, and nothing else
  std::string rest_;                         // what was read beyond the last batch
  uint64_t position_ = 0;                    // of the first byte of rest_ in the (decompressed) file
  uint64_t pending_lines_ = 0;               // lines of the header, which the next batch counts
  std::optional<Rejection> pending_;         // what the next batch tells
  bool at_end_ = false;
  bool began_ = false;  // a batch was filled
};

}  // namespace neardup::corpus
