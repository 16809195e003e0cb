// The records of a WARC or ARC file, batch by batch from its start on: where one ends, its header tells, and where that
// is wrong, the begin of the next one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/formats/warc_kind.h"
#include "neardup/corpus/formats/warc_window.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {

/// A record whose bytes stand in BatchBuffers::raw.
struct WarcRecord {
  uint64_t number = 0;  // of all records since the start of the batch, from 0
  size_t begin = 0;     // in raw
  size_t size = 0;      // of header and block, without the empty lines behind
  WarcPlace place;
  bool is_info = false;  // warcinfo: no document
  WarcVerdict verdict = {};
};

/// Which records of a file are kept.
enum class WarcWanted {
  kDocuments,  // and every warcinfo, to which they refer
  kAll,        // whatever they are, but for those that are too long or cannot be taken apart
};

/// What a WarcStream puts beside the bytes of a batch.
struct WarcBatch {
  std::vector<WarcRecord> records;               // that are wanted
  std::vector<Rejection> faults;                 // what is no record that can be kept; their lines are their numbers
  std::vector<Rejection> notes;                  // at the end of the file: what is no document
  uint64_t num_records = 0;                      // of all kinds
  Compression compression = Compression::kNone;  // of the input
  bool is_arc = false;
};

/// Returns "the record at byte 12 " for the front of a message.
[[nodiscard]] std::string name_warc_place(const WarcPlace& place);

/// What is no WARC record counts as one, up to the next that is one: in a compressed file to the next member or frame
/// that begins with a record, else to the next line that does. Threads: one at a time. Memory: a batch, and one record
/// whose block has at most max_record_bytes; of longer ones no more than kMaxWarcHeaderBytes are looked at.
class WarcStream : public BatchStream {
 public:
  /// Errors: as InputBytes::open().
  [[nodiscard]] static Result<std::unique_ptr<WarcStream>> open(const Input& input, const ReadOptions& options,
                                                                WarcWanted wanted = WarcWanted::kDocuments);

  Result<bool> fill(uint64_t end_byte, BatchBuffers& buffers) override;
  Status skip_to(uint64_t byte) override;
  [[nodiscard]] uint64_t consumed() const override { return window_.consumed(); }

 private:
  WarcStream(WarcWindow window, const Input& input, const ReadOptions& options, WarcWanted wanted)
      : window_(std::move(window)), input_(input), options_(options), wanted_(wanted) {}

  void begin(BatchBuffers& buffers);
  [[nodiscard]] bool is_full(uint64_t end_byte) const;
  Status fill_batch(uint64_t end_byte, BatchBuffers& buffers);
  Status skip_empty_lines();
  Status take_next(BatchBuffers& buffers);
  Status take_end(BatchBuffers& buffers);
  Status take_record(BatchBuffers& buffers);
  Result<std::optional<WarcHeader>> read_header(std::string_view& problem);
  Status take_whole(const WarcHeader& found, BatchBuffers& buffers);
  Status take_long(const WarcHeader& found, BatchBuffers& buffers);
  Result<bool> skip_long(uint64_t size);
  void pass_over(const std::string& kind, BatchBuffers& buffers);
  [[nodiscard]] std::string why_no_end(size_t size) const;
  void take(const WarcVerdict& verdict, size_t size, BatchBuffers& buffers);
  void keep(const WarcRecord& record, BatchBuffers& buffers);
  Status refuse(const std::string& reason, const std::string& message, size_t from, BatchBuffers& buffers);
  Status refuse_short(uint64_t size, size_t from, BatchBuffers& buffers);
  void note_fault(const std::string& reason, const std::string& message, BatchBuffers& buffers);
  Status find_next(size_t from);
  [[nodiscard]] size_t find_record(size_t from) const;
  [[nodiscard]] size_t begun_record_bytes() const;
  void finish(BatchBuffers& buffers);

  WarcWindow window_;
  const Input input_;
  const ReadOptions options_;
  const WarcWanted wanted_;
  WarcTally tally_;
  uint64_t num_records_ = 0;  // of the file, so far
  uint64_t batch_begin_ = 0;  // the position where it begins
  bool is_lost_ = false;      // what follows, up to the next record, belongs to a fault that was told
  bool at_end_ = false;
  bool is_finished_ = false;
};

}  // namespace neardup::corpus
