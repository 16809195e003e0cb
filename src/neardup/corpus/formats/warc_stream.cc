#include "neardup/corpus/formats/warc_stream.h"

#include <algorithm>

namespace neardup::corpus {
namespace {

constexpr size_t kMarkNotThere = std::string_view::npos;
constexpr size_t kFirstLookBytes = size_t{1} << 14;
constexpr size_t kMostEmptyBytes = 4;  // "\r\n\r\n" stands behind each record

/// Where a line of `bytes` begins as a record of WARC does, at `from` or behind.
size_t find_mark(std::string_view bytes, size_t from) {
  size_t found = from == 0 ? 0 : from - 1;
  while ((found = bytes.find("\nWARC/", found)) != kMarkNotThere) {
    ++found;
    if (begins_warc(bytes.substr(found))) return found;
  }
  return kMarkNotThere;
}

/// The same of ARC.
size_t find_arc_line(std::string_view bytes, size_t from) {
  for (size_t end = bytes.find('\n', from == 0 ? 0 : from - 1); end != kMarkNotThere; end = bytes.find('\n', end + 1))
    if (read_arc_line(bytes.substr(end + 1))) return end + 1;
  return kMarkNotThere;
}

/// What stands where a record should begin.
std::string no_record(bool is_arc) {
  return std::string("does not begin with ") +
         (is_arc ? "the line of a record of ARC (URL, address, date, type, length)" : "WARC/1.0 or WARC/1.1") +
         ": it is no record, up to the next one";
}

}  // namespace

std::string name_warc_place(const WarcPlace& place) {
  return "the record at byte " + std::to_string(place.byte) + (place.is_unpacked ? " of what is decompressed " : " ");
}

Result<std::unique_ptr<WarcStream>> WarcStream::open(const Input& input, const ReadOptions& options,
                                                     WarcWanted wanted) {
  NEARDUP_ASSIGN(WarcWindow window, WarcWindow::open(input, options));
  return std::unique_ptr<WarcStream>(new WarcStream(std::move(window), input, options, wanted));
}

void WarcStream::begin(BatchBuffers& buffers) {
  buffers.raw.clear(static_cast<size_t>(4 * options_.batch_bytes));
  buffers.begin = buffers.end = 0;
  buffers.warc = std::make_shared<WarcBatch>();
  buffers.warc->compression = input_.compression;
  buffers.warc->is_arc = window_.is_arc();
  batch_begin_ = window_.position();
}

bool WarcStream::is_full(uint64_t end_byte) const {
  if (at_end_) return true;
  return input_.is_packed() ? window_.position() - batch_begin_ >= options_.batch_bytes
                            : window_.position() >= end_byte;
}

Result<bool> WarcStream::fill(uint64_t end_byte, BatchBuffers& buffers) {
  begin(buffers);
  NEARDUP_TRY(fill_batch(end_byte, buffers));
  if (at_end_ || (!input_.is_packed() && end_byte >= input_.size_bytes)) finish(buffers);
  buffers.end = buffers.raw.size();
  return !input_.is_packed() || buffers.warc->num_records != 0 || !buffers.warc->notes.empty();
}

Status WarcStream::fill_batch(uint64_t end_byte, BatchBuffers& buffers) {
  while (true) {
    NEARDUP_TRY(skip_empty_lines());
    if (is_full(end_byte)) return {};
    NEARDUP_TRY(take_next(buffers));
  }
}

/// Another shard delivers those records; what is no document is counted here too.
Status WarcStream::skip_to(uint64_t byte) {
  while (window_.position() < byte && !at_end_) {
    BatchBuffers skipped;
    NEARDUP_TRY(fill(std::min(byte, window_.position() + options_.batch_bytes), skipped));
  }
  return {};
}

Status WarcStream::skip_empty_lines() {
  while (true) {
    NEARDUP_ASSIGN(const bool more, window_.require(1));
    if (!more) return {};
    const size_t size = std::min(window_.view().find_first_not_of("\r\n"), window_.view().size());
    const bool is_all = size == window_.view().size();
    window_.advance(size);
    if (!is_all) return {};
  }
}

/// A record, or what stands where one should.
Status WarcStream::take_next(BatchBuffers& buffers) {
  NEARDUP_TRY(window_.require(window_.mark_size()));
  if (window_.view().empty()) return take_end(buffers);
  if (window_.begins_record(0)) {
    is_lost_ = false;
    return take_record(buffers);
  }
  if (std::exchange(is_lost_, true)) return find_next(1);
  return refuse("invalid_warc", no_record(window_.is_arc()), 1, buffers);
}

/// Nothing more can be read here.
Status WarcStream::take_end(BatchBuffers& buffers) {
  at_end_ = !window_.damage();
  if (at_end_) return {};
  if (!std::exchange(is_lost_, true)) note_fault(window_.damage()->reason, window_.damage()->message, buffers);
  NEARDUP_ASSIGN(const bool goes_on, window_.skip_damage());
  at_end_ = !goes_on;
  return {};
}

Status WarcStream::take_record(BatchBuffers& buffers) {
  std::string_view problem;
  NEARDUP_ASSIGN(const auto header, read_header(problem));
  if (!header) {
    if (window_.damage() && window_.next_piece(1) == kMarkNotThere)
      return refuse(window_.damage()->reason, "is damaged: " + window_.damage()->message, 1, buffers);
    return refuse("invalid_warc", std::string(problem), 1, buffers);
  }
  if (!window_.can_have(header->size + header->content_length))
    return refuse_short(header->content_length, header->size, buffers);
  return header->content_length <= options_.max_record_bytes ? take_whole(*header, buffers)
                                                             : take_long(*header, buffers);
}

/// With the bytes that the window holds of it. A header does not go on in another member that begins with a record.
Result<std::optional<WarcHeader>> WarcStream::read_header(std::string_view& problem) {
  for (size_t size = kFirstLookBytes;; size *= 4) {
    NEARDUP_ASSIGN(const bool more, window_.require(size));
    const std::string_view here = window_.view().substr(0, window_.next_piece(1));
    auto header = read_warc_header(here, problem);
    if (header || !more || size >= kMaxWarcHeaderBytes || here.size() < window_.view().size()) return header;
  }
}

/// Why the record that ends after `size` bytes should not end there; empty where it should.
std::string WarcStream::why_no_end(size_t size) const {
  const std::string_view after = window_.view().substr(size);
  const bool is_arc = window_.is_arc();
  const auto begins = [&](std::string_view end) { return after.starts_with(end); };
  if (after.empty() || (!is_arc && (begins("\r\n\r\n") || begins("\n\n") || begins("\r\r\n\r\r\n")))) return {};
  const size_t most = is_arc ? after.size() : kMostEmptyBytes;
  const size_t first = std::min({after.find_first_not_of("\r\n"), after.size(), most});
  if (after.size() == first || window_.begins_record(size + first)) return {};
  if (window_.next_piece(size) <= size + first) return {};
  if (is_arc) return "is not followed by another one where it ends by its length, which must be wrong";
  return "is not followed by an empty line where it ends by its Content-Length, which must be wrong";
}

Status WarcStream::take_whole(const WarcHeader& found, BatchBuffers& buffers) {
  const auto size = static_cast<size_t>(found.size + found.content_length);
  const size_t head = found.size;
  ask_for_memory(options_, buffers.raw.size() + 2 * size, buffers);
  NEARDUP_ASSIGN(const bool has_more, window_.require(size + kMostEmptyBytes + window_.mark_size()));
  if (window_.next_piece(1) < size || (!has_more && window_.view().size() < size) || window_.is_doubtful(size))
    return refuse_short(size - head, head, buffers);
  if (const std::string why = why_no_end(size); !why.empty()) return refuse("invalid_warc", why, head, buffers);

  std::string_view problem;  // the window may have moved since the header was read
  const auto header = read_warc_header(window_.view().substr(0, size), problem);
  take(judge_warc_record(*header, window_.view().substr(head, size - head)), size, buffers);
  window_.advance(size);
  return {};
}

/// The record of `size` bytes at position().
void WarcStream::take(const WarcVerdict& verdict, size_t size, BatchBuffers& buffers) {
  using Kind = WarcVerdict::Kind;
  const bool is_all = wanted_ == WarcWanted::kAll, is_info = !is_all && verdict.kind == Kind::kInfo;
  if (verdict.kind == Kind::kRejected && !is_all)
    note_fault(verdict.reason, name_warc_place(window_.place()) + verdict.says, buffers);
  if (is_all || verdict.kind == Kind::kDocument || is_info)
    keep({buffers.warc->num_records, buffers.raw.size(), size, window_.place(), is_info, verdict}, buffers);
  if (!is_all && (verdict.kind == Kind::kNone || is_info)) pass_over(verdict.says, buffers);
}

void WarcStream::keep(const WarcRecord& record, BatchBuffers& buffers) {
  if (!record.is_info) {
    ++buffers.warc->num_records;
    ++num_records_;
  }
  RawBuffer& raw = buffers.raw;
  if (raw.size() + record.size > raw.capacity()) raw.reserve(std::max(raw.size() + record.size, 2 * raw.capacity()));
  window_.view().copy(raw.data() + raw.size(), record.size);
  raw.set_size(raw.size() + record.size);
  buffers.warc->records.push_back(record);
}

/// Longer than a record may be: what it is, its first bytes tell.
Status WarcStream::take_long(const WarcHeader& found, BatchBuffers& buffers) {
  const uint64_t size = found.size + found.content_length;
  const size_t looked_at = found.size + kMaxWarcHeaderBytes;
  NEARDUP_TRY(window_.require(static_cast<size_t>(std::min<uint64_t>(looked_at, size))));
  if (window_.next_piece(1) < std::min<uint64_t>(looked_at, size))
    return refuse_short(found.content_length, found.size, buffers);
  std::string_view problem;
  const std::string_view there = window_.view().substr(0, looked_at);
  const auto header = read_warc_header(there, problem);
  const WarcVerdict verdict = judge_warc_record(*header, there.substr(header->size));
  const bool is_rejected = wanted_ == WarcWanted::kAll || verdict.kind != WarcVerdict::Kind::kNone;
  const std::string place = name_warc_place(window_.place());
  if (is_rejected) note_fault("too_long", place + "is " + too_long_message(options_), buffers);
  NEARDUP_ASSIGN(const bool is_whole, skip_long(size));
  if (is_rejected) return {};
  if (is_whole) {
    pass_over(verdict.says, buffers);
    return {};
  }
  is_lost_ = true;
  note_fault("truncated", place + (window_.damage() ? "is damaged: " + window_.damage()->message : "ends too early"),
             buffers);
  return {};
}

/// Reads over `size` bytes, or to the next member that begins with a record; returns whether all were there.
Result<bool> WarcStream::skip_long(uint64_t size) {
  for (bool is_first = true; size > 0; is_first = false) {
    NEARDUP_TRY(options_.context.check_cancel());
    NEARDUP_TRY(window_.require(1));
    const size_t piece = window_.next_piece(is_first ? 1 : 0);
    const size_t step = static_cast<size_t>(std::min<uint64_t>({size, window_.view().size(), piece}));
    if (step == 0) return false;
    window_.advance(step);
    size -= step;
  }
  return true;
}

void WarcStream::pass_over(const std::string& kind, BatchBuffers& buffers) {
  tally_.add(kind);
  ++buffers.warc->num_records;
  ++num_records_;
}

/// The record has fewer bytes behind its header than it says.
Status WarcStream::refuse_short(uint64_t size, size_t from, BatchBuffers& buffers) {
  const size_t piece = window_.next_piece(1);
  if (piece == kMarkNotThere && window_.damage())
    return refuse(window_.damage()->reason, "is damaged: " + window_.damage()->message, from, buffers);
  std::string message = std::string(window_.is_arc() ? "has a length of " : "has a Content-Length of ") +
                        std::to_string(size) + ", and fewer bytes follow";
  if (piece != kMarkNotThere) message += " before the next record begins";
  return refuse("truncated", message, from, buffers);
}

/// `from`: where behind position() another record may begin.
Status WarcStream::refuse(const std::string& reason, const std::string& message, size_t from, BatchBuffers& buffers) {
  note_fault(reason, name_warc_place(window_.place()) + message, buffers);
  is_lost_ = true;
  return find_next(from);
}

void WarcStream::note_fault(const std::string& reason, const std::string& message, BatchBuffers& buffers) {
  Rejection fault;
  fault.line = buffers.warc->num_records++;
  fault.reason = reason;
  fault.message = message;
  fault.excerpt = window_.view().substr(0, std::min(kExcerptBytes, window_.next_piece(1)));
  buffers.warc->faults.push_back(std::move(fault));
  ++num_records_;
}

/// Goes to the next record at or behind `from`, or to the end of what can be read.
Status WarcStream::find_next(size_t from) {
  while (true) {
    NEARDUP_TRY(options_.context.check_cancel());
    const size_t next = std::min(find_record(from), window_.next_piece(from));
    if (next != kMarkNotThere) {
      window_.advance(next);
      return {};
    }
    const size_t keep_bytes = begun_record_bytes();
    window_.advance(window_.view().size() - keep_bytes);
    from = 1;
    NEARDUP_ASSIGN(const bool more, window_.require(keep_bytes + 1));
    if (more) continue;
    window_.advance(keep_bytes);
    return {};
  }
}

size_t WarcStream::find_record(size_t from) const {
  return window_.is_arc() ? find_arc_line(window_.view(), from) : find_mark(window_.view(), from);
}

/// How many of the last bytes that are held may be the begin of a record, with the line end before it.
size_t WarcStream::begun_record_bytes() const {
  const std::string_view held = window_.view();
  if (!window_.is_arc()) return std::min(held.size(), kWarcMark.size());
  const size_t line = held.rfind('\n');
  return std::min(line == kMarkNotThere ? held.size() : held.size() - line, kMaxArcLineBytes);
}

void WarcStream::finish(BatchBuffers& buffers) {
  if (std::exchange(is_finished_, true) || tally_.total() == 0) return;
  Rejection note;
  note.line = buffers.warc->num_records == 0 ? 0 : buffers.warc->num_records - 1;
  note.reason = "no_document";
  note.message = tally_.message(num_records_);
  buffers.warc->notes.push_back(std::move(note));
}

}  // namespace neardup::corpus
