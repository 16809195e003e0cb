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
  uint64_t size = 0;
  for (const std::string& piece : pieces) size += piece.size();
  if (size == 0) return {};
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
