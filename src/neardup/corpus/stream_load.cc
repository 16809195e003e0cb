#include "neardup/corpus/stream_load.h"

#include <algorithm>

namespace neardup::corpus {
namespace {

constexpr size_t kReadBytes = size_t{1} << 16;
constexpr size_t kNone = std::string_view::npos;

}  // namespace

Result<LineStream> LineStream::open(const Input& input, const ReadOptions& options) {
  NEARDUP_ASSIGN(InputBytes stream, InputBytes::open(input, options));
  return LineStream(std::move(stream), options);
}

Result<size_t> LineStream::read_more(RawBuffer& raw) {
  const size_t size = raw.size();
  const size_t want = size < options_.batch_bytes
                          ? static_cast<size_t>(std::min<uint64_t>(options_.batch_bytes - size + kReadBytes / 4,
                                                                   std::max(size, 4 * kReadBytes)))
                          : kReadBytes;
  if (size + want > raw.capacity()) raw.reserve(std::max(size + want, 2 * raw.capacity()));
  NEARDUP_ASSIGN(const size_t got, stream_.read(raw.data() + size, want));
  raw.set_size(size + got);
  return got;
}

Result<bool> LineStream::fill(uint64_t, BatchBuffers& buffers) {
  RawBuffer& raw = buffers.raw;
  raw.clear(static_cast<size_t>(2 * options_.batch_bytes) + 4 * kReadBytes);
  raw.reserve(rest_.size());
  rest_.copy(raw.data(), rest_.size());
  raw.set_size(rest_.size());
  rest_.clear();
  buffers.tail.reset();

  size_t searched = static_cast<size_t>(options_.batch_bytes) - 1;
  size_t last_start = kNone;
  size_t line_end = kNone;
  while ((line_end = find_line_end(raw.view(), searched)) == kNone) {
    if (raw.size() > searched) {
      if (last_start == kNone) last_start = find_last_line_end(raw.view().substr(0, searched)) + 1;
      if (raw.size() - last_start >= cut_length(options_.max_record_bytes)) {
        raw.set_size(last_start + cut_length(options_.max_record_bytes));
        NEARDUP_TRY(skip_line());
        break;
      }
      searched = raw.size();
      ask_for_memory(options_, raw.size(), buffers);
    }
    NEARDUP_ASSIGN(const size_t got, read_more(raw));
    if (got == 0) {
      finish(buffers);
      break;
    }
  }
  if (line_end != kNone) {
    rest_.assign(raw.data() + line_end + 1, raw.size() - line_end - 1);
    raw.set_size(line_end + 1);
  }
  buffers.begin = 0;
  buffers.end = raw.size();
  return raw.size() != 0 || buffers.tail.has_value();
}

/// Reads over the rest of a line that is too long.
Status LineStream::skip_line() {
  rest_.resize(kReadBytes);
  while (true) {
    NEARDUP_ASSIGN(const size_t got, stream_.read(rest_.data(), rest_.size()));
    const size_t line_end = find_line_end({rest_.data(), got}, 0);
    if (got != 0 && line_end == kNone) continue;
    rest_ = got == 0 ? std::string() : rest_.substr(line_end + 1, got - line_end - 1);
    return {};
  }
}

/// At the end: where the data is damaged its last, half line is not delivered but shown in the rejection.
void LineStream::finish(BatchBuffers& buffers) {
  const std::optional<Damage>& damage = stream_.damage();
  if (!damage || is_reported_) return;
  is_reported_ = true;
  const size_t half_line = find_last_line_end(buffers.raw.view()) + 1;
  Rejection rejection;
  rejection.reason = damage->reason;
  rejection.message = damage->message;
  rejection.excerpt = buffers.raw.view().substr(half_line, kExcerptBytes);
  rejection.unread = stream_.unread_behind(buffers.raw.size() - half_line);
  buffers.tail = std::move(rejection);
  buffers.raw.set_size(half_line);
}

}  // namespace neardup::corpus
