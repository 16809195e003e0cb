#include "neardup/lines/line_writer.h"

#include <algorithm>
#include <utility>

#include "neardup/base/guard.h"
#include "neardup/base/threads.h"
#include "neardup/corpus/output.h"

namespace neardup::lines {

LineWriter::~LineWriter() {
  if (written_.valid()) written_.wait();
}

Status LineWriter::wait() { return written_.valid() ? written_.get() : Status(); }

Status LineWriter::put(std::vector<std::string>& pieces) {
  if (long_lines_.empty()) return put_bytes(pieces);
  for (const std::string& piece : pieces) NEARDUP_TRY(put_with_long(piece));
  return {};
}

Status LineWriter::put_with_long(std::string_view lines) {
  while (!lines.empty()) {
    const size_t found = std::min(long_lines_.find_stand_in(lines, 0), lines.size());
    std::vector<std::string> before = {std::string(lines.substr(0, found))};
    NEARDUP_TRY(put_bytes(before));
    lines.remove_prefix(found);
    if (lines.empty()) break;
    NEARDUP_TRY(put_long(*long_lines_.number_of(lines.substr(0, LongLines::kStandInBytes))));
    lines.remove_prefix(LongLines::kStandInBytes);
  }
  return {};
}

Status LineWriter::put_long(uint64_t number) {
  std::string buffer;
  const uint64_t size = long_lines_.size_bytes(number);
  for (uint64_t at = 0; at < size; at += LongLines::kPieceBytes) {
    NEARDUP_ASSIGN(const std::string_view read, long_lines_.read(number, at, buffer, LongLines::kPieceBytes));
    std::vector<std::string> piece = {std::string(read)};
    NEARDUP_TRY(put_bytes(piece));
  }
  return {};
}

Status LineWriter::put_bytes(std::vector<std::string>& pieces) {
  uint64_t size = 0;
  for (const std::string& piece : pieces) size += piece.size();
  if (size == 0) return {};
  if (!begin_.empty()) {
    pieces.insert(pieces.begin(), std::exchange(begin_, {}));
    size += pieces.front().size();
  }
  size_bytes_ += size;
  if (compression_ == corpus::Compression::kNone) return write_beside(pieces);
  for (const std::string& piece : pieces) waiting_ += piece;
  const size_t ready = waiting_.size() / kPackedBytes;
  return ready < std::min<size_t>(static_cast<size_t>(num_threads_), kMostWaiting) ? Status() : pack(ready);
}

/// Compresses `count` pieces of what waits, the last of which may be shorter.
Status LineWriter::pack(size_t count) {
  std::vector<std::string> packed(count);
  NEARDUP_TRY(parallel_for(num_threads_, count, [&](size_t i, int) -> Status {
    NEARDUP_ASSIGN(packed[i],
                   corpus::compress(compression_, std::string_view(waiting_).substr(i * kPackedBytes, kPackedBytes)));
    return {};
  }));
  waiting_.erase(0, count * kPackedBytes);
  wrote_ = true;
  return write_beside(packed);
}

/// Writes `pieces` while the caller goes on.
Status LineWriter::write_beside(std::vector<std::string>& pieces) {
  NEARDUP_TRY(wait());
  std::swap(writing_, pieces);
  written_ = std::async(std::launch::async | std::launch::deferred, [this] {
    return guarded([this]() -> Status {
      for (const std::string& piece : writing_) {
        if (!piece.empty()) NEARDUP_TRY(write_(piece));
      }
      return {};
    });
  });
  return {};
}

Status LineWriter::finish() {
  const bool packs = compression_ != corpus::Compression::kNone;
  if (packs && (!waiting_.empty() || !wrote_))
    NEARDUP_TRY(pack(std::max<size_t>(1, (waiting_.size() + kPackedBytes - 1) / kPackedBytes)));
  return wait();
}

}  // namespace neardup::lines
