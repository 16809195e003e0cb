#include "neardup/corpus/input_bytes.h"

#include <algorithm>
#include <cstring>

namespace neardup::corpus {

void InputBytes::stop_unreadable(int error) {
  damage_ = {"unreadable",
             "'" + path_ + "' from byte " + std::to_string(offset_) + " on: " + std::string(std::strerror(error))};
}

Result<InputBytes> InputBytes::open(const Input& input, const ReadOptions& options) {
  InputBytes bytes;
  bytes.size_bytes_ = input.size_bytes;
  if (!input.pre.empty()) {
    NEARDUP_ASSIGN(bytes.command_, CommandOutput::start(input.pre, input.path, options.context));
    return bytes;
  }
  if (input.compression != Compression::kNone) {
    NEARDUP_ASSIGN(bytes.stream_, Decompressor::open(input, options.window_bytes));
    return bytes;
  }
  bytes.path_ = input.path;
  const int error = bytes.file_.open(input.path);
  if (error != 0) NEARDUP_TRY(check_failure(input.path, error));
  if (error != 0) bytes.stop_unreadable(error);
  return bytes;
}

Unread InputBytes::unread_behind(size_t half_bytes) const {
  if (command_) return {.text_bytes = half_bytes};
  const uint64_t left = size_bytes_ - std::min(size_bytes_, consumed());
  if (stream_) return {.text_bytes = half_bytes, .packed_bytes = left};
  return {.text_bytes = half_bytes + left};
}

Result<size_t> InputBytes::read(char* out, size_t size) {
  if (command_) return command_->read(out, size);
  if (stream_) return stream_->read(out, size);
  if (damage_) return size_t{0};
  const auto want = static_cast<size_t>(std::min<uint64_t>(size, size_bytes_ - offset_));
  size_t got = 0;
  const int error = file_.read_at(offset_, out, want, got);
  if (error != 0) NEARDUP_TRY(check_failure(path_, error));
  offset_ += got;
  if (error != 0) stop_unreadable(error);
  if (error == 0 && got < want)
    damage_ = {"truncated", "'" + path_ + "' ends at byte " + std::to_string(offset_) + " but had " +
                                std::to_string(size_bytes_) + " bytes when the run began"};
  return got;
}

}  // namespace neardup::corpus
