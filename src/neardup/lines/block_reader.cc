#include "neardup/lines/block_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "neardup/base/guard.h"

namespace neardup::lines {

BlockReader::~BlockReader() {
  stop_ = true;
  if (reading_.valid()) reading_.wait();
}

void BlockReader::begin_reading() {
  // Where the system starts no thread it is read when it is asked for.
  reading_ = std::async(std::launch::async | std::launch::deferred,
                        [this] { return guarded([this] { return fill(ahead_); }); });
}

Result<bool> BlockReader::next(LineBlock& block) {
  if (!reading_.valid()) begin_reading();
  NEARDUP_ASSIGN(const bool more, reading_.get());
  if (!more) return false;
  std::swap(block, ahead_);
  begin_reading();
  return true;
}

Result<bool> BlockReader::fill(LineBlock& block) {
  block.place = {place_.input, place_.offset - rest_.size()};
  block.lacks_end = block.stays = false;
  do {
    NEARDUP_ASSIGN(block.stays, take_mapped(block));
    if (block.stays) return true;
    NEARDUP_TRY(read_bytes(block));
  } while (block.text.empty() && at_begin_of_mapped());
  return !block.text.empty();
}

/// Reads lines to where block.text is then.
Status BlockReader::read_bytes(LineBlock& block) {
  corpus::RawBuffer& bytes = block.bytes;
  bytes.clear(4 * block_bytes_);  // what one long line took goes
  bytes.reserve(block_bytes_ + rest_.size() + 1);
  if (!rest_.empty()) std::memcpy(bytes.data(), rest_.data(), rest_.size());
  bytes.set_size(rest_.size());
  rest_.clear();
  NEARDUP_TRY(fill_bytes(block));
  block.consumed = consumed_before_ + (stream_ ? stream_->consumed() : 0);
  block.text = bytes.view();
  return {};
}

/// Sets block.text to the next lines of an input that is mapped. False where there are none, of which the last line of
/// an input without an end is one: it is read as if the input was not mapped.
Result<bool> BlockReader::take_mapped(LineBlock& block) {
  if (place_.input == inputs_.size() || inputs_[place_.input].mapped == nullptr || !rest_.empty()) return false;
  const LineInput& input = inputs_[place_.input];
  NEARDUP_TRY(context_.check_cancel());
  const std::string_view left = input.mapped->bytes().substr(place_.offset);
  const std::string_view wanted = left.substr(0, block_bytes_);
  input.mapped->fetch(place_.offset, wanted.size());
  size_t last = wanted.rfind(line_end_);
  if (last == std::string_view::npos) last = left.find(line_end_, wanted.size());
  NEARDUP_TRY(check_whole(input));
  if (last == std::string_view::npos) return false;
  block.text = left.substr(0, last + 1);
  place_.offset += block.text.size();
  block.consumed = consumed_before_ + place_.offset;
  return true;
}

Status BlockReader::fill_bytes(LineBlock& block) {
  corpus::RawBuffer& bytes = block.bytes;
  size_t made_end = 0;  // where an end was added behind the last line of an input
  while (place_.input < inputs_.size()) {
    const size_t before = bytes.size();
    const size_t wanted = before < block_bytes_ ? block_bytes_ - before : block_bytes_;
    NEARDUP_ASSIGN(const size_t got, read_some(bytes, wanted));
    if (got > 0) {
      if (bytes.size() >= block_bytes_ && take_lines(bytes, before)) return {};
      continue;
    }
    if (bytes.size() > 0 && bytes.view().back() != line_end_) {
      bytes.reserve(bytes.size() + 1);
      bytes.data()[bytes.size()] = line_end_;
      bytes.set_size(bytes.size() + 1);
      made_end = bytes.size();
    }
    consumed_before_ += stream_->consumed();
    stream_.reset();
    place_ = {place_.input + 1, 0};
    if (at_begin_of_mapped()) return {};
  }
  block.lacks_end = made_end > 0 && made_end == bytes.size();
  return {};
}

Result<size_t> BlockReader::read_some(corpus::RawBuffer& bytes, size_t size) {
  NEARDUP_TRY(context_.check_cancel());
  if (!stream_) {
    NEARDUP_ASSIGN(stream_, ByteStream::open(inputs_[place_.input], place_.offset, context_, &stop_));
  }
  if (bytes.size() + size > bytes.capacity()) bytes.reserve(std::max(bytes.size() + size, 2 * bytes.capacity()));
  NEARDUP_ASSIGN(const size_t got, stream_->read(bytes.data() + bytes.size(), size));
  bytes.set_size(bytes.size() + got);
  place_.offset += got;
  return got;
}

/// Puts what follows the last line end aside; false where there is none from `from` on.
bool BlockReader::take_lines(corpus::RawBuffer& bytes, size_t from) {
  const auto* const last = static_cast<const char*>(::memrchr(bytes.data() + from, line_end_, bytes.size() - from));
  if (last == nullptr) return false;
  const auto end = static_cast<size_t>(last + 1 - bytes.data());
  rest_.assign(bytes.view().substr(end));
  bytes.set_size(end);
  return true;
}

}  // namespace neardup::lines
