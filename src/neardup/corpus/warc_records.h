// All records of a WARC file in their order, documents or not, for programs that write the file anew.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/formats/warc_kind.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {

/// A record, or what stands where one should.
struct WarcItem {
  std::string_view bytes;  // header and block; empty where it is no record that can be taken apart, or is too long
  std::string place;       // "the record at byte 12 ", for the front of a message
  WarcVerdict verdict;     // whether it is a document; kRejected where `bytes` are empty, with the whole message
};

struct WarcItems {
  std::vector<WarcItem> items;
  BatchBuffers buffers;  // what the items view; its arena and its room are free to use
};

/// Reads one file from its start to its end, as WarcStream does. Threads: one at a time.
class WarcRecords {
 public:
  /// Of `options` batch_bytes, max_record_bytes and the context are looked at. Errors: as InputBytes::open();
  /// kUnsupported for a file of ARC.
  [[nodiscard]] static Result<WarcRecords> open(const Input& input, const ReadOptions& options);

  /// Puts the next records into `items`, about batch_bytes of them, in the place of those before. Returns false at the
  /// end. Errors: as Reader::next().
  [[nodiscard]] Result<bool> next(WarcItems& items);
  /// Bytes on disk used so far.
  [[nodiscard]] uint64_t consumed() const { return stream_->consumed(); }

 private:
  WarcRecords(std::unique_ptr<BatchStream> stream, const Input& input, uint64_t batch_bytes)
      : stream_(std::move(stream)), is_packed_(input.is_packed()), size_bytes_(input.size_bytes), step_(batch_bytes) {}

  std::unique_ptr<BatchStream> stream_;
  bool is_packed_ = false;
  uint64_t size_bytes_ = 0;
  uint64_t step_ = 0;
  uint64_t end_byte_ = 0;  // of a plain input: behind the batch before
};

}  // namespace neardup::corpus
