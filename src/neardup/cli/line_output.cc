#include "neardup/cli/line_output.h"

#include <utility>

#include "neardup/base/disk/stale_temporaries.h"

namespace neardup::cli {
namespace {

constexpr size_t kFullBytes = size_t{1} << 16;

}  // namespace

Status LineOutput::begin() {
  if (path_.empty()) return {};
  NEARDUP_ASSIGN(file_, create_output(path_));
  return {};
}

Status LineOutput::flush() {
  const std::string block = std::exchange(lines_, {});
  if (file_) return file_->write(block);
  io_.print(block);
  io_.flush();
  return io_.failed() ? io_.finish() : Status();
}

Status LineOutput::flush_if_full() { return lines_.size() < kFullBytes ? Status() : flush(); }

Status LineOutput::finish() {
  NEARDUP_TRY(flush());
  return file_ ? file_->commit() : Status();
}

}  // namespace neardup::cli
