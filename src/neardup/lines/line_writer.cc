#include "neardup/lines/line_writer.h"

#include <utility>

#include "neardup/base/guard.h"
#include "neardup/base/threads.h"
#include "neardup/corpus/output.h"

namespace neardup::lines {

LineWriter::~LineWriter() {
  if (written_.valid()) written_.wait();
}

Status LineWriter::wait() { return written_.valid() ? written_.get() : Status(); }

Status LineWriter::compress_all(std::vector<std::string>& pieces) const {
  if (compression_ == corpus::Compression::kNone) return {};
  return parallel_for(num_threads_, pieces.size(), [&](size_t i, int) -> Status {
    if (pieces[i].empty()) return {};
    NEARDUP_ASSIGN(pieces[i], corpus::compress(compression_, pieces[i]));
    return {};
  });
}

Status LineWriter::put(std::vector<std::string>& pieces) {
  uint64_t size = 0;
  for (const std::string& piece : pieces) size += piece.size();
  if (size == 0) return {};
  size_bytes_ += size;
  NEARDUP_TRY(compress_all(pieces));
  NEARDUP_TRY(wait());
  std::swap(writing_, pieces);
  wrote_ = true;
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
  NEARDUP_TRY(wait());
  if (wrote_ || compression_ == corpus::Compression::kNone) return {};
  NEARDUP_ASSIGN(const std::string nothing, corpus::compress(compression_, ""));
  return write_(nothing);
}

}  // namespace neardup::lines
