#include "neardup/corpus/warc_records.h"

#include <algorithm>

#include "neardup/corpus/formats/warc_stream.h"

namespace neardup::corpus {
namespace {

WarcItem broken_item(const Rejection& fault) {
  return {.bytes = {}, .place = {}, .verdict = {WarcVerdict::Kind::kRejected, fault.message, fault.reason}};
}

WarcItem item_of(const WarcRecord& record, std::string_view raw) {
  return {.bytes = raw.substr(record.begin, record.size),
          .place = name_warc_place(record.place),
          .verdict = record.verdict};
}

/// Records and faults have numbers of one row.
void fill_items(WarcItems& items) {
  const WarcBatch& batch = *items.buffers.warc;
  items.items.clear();
  auto fault = batch.faults.begin();
  for (const WarcRecord& record : batch.records) {
    for (; fault != batch.faults.end() && fault->line < record.number; ++fault)
      items.items.push_back(broken_item(*fault));
    items.items.push_back(item_of(record, items.buffers.raw.view()));
  }
  for (; fault != batch.faults.end(); ++fault) items.items.push_back(broken_item(*fault));
}

}  // namespace

Result<WarcRecords> WarcRecords::open(const Input& input, const ReadOptions& options) {
  NEARDUP_ASSIGN(const WarcWindow window, WarcWindow::open(input, options));
  if (window.is_arc())
    return fail(Code::kUnsupported, "cannot read '" + input.path +
                                        "' as WARC: it is ARC, which is not written anew; convert it first: warcio "
                                        "recompress FILE FILE.warc.gz");
  NEARDUP_ASSIGN(auto stream, WarcStream::open(input, options, WarcWanted::kAll));
  return WarcRecords(std::move(stream), input, std::max<uint64_t>(1, options.batch_bytes));
}

Result<bool> WarcRecords::next(WarcItems& items) {
  items.items.clear();
  if (!is_packed_ && end_byte_ >= size_bytes_) return false;
  end_byte_ = std::min(size_bytes_, end_byte_ + step_);
  items.buffers.arena.clear();
  items.buffers.unpacked.clear(static_cast<size_t>(4 * step_));
  NEARDUP_ASSIGN(const bool more, stream_->fill(end_byte_, items.buffers));
  if (!more) return false;
  fill_items(items);
  return true;
}

}  // namespace neardup::corpus
