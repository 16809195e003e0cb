#include "neardup/lines/block_reader.h"

#include <fmt/format.h>

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
  block.hidden_bytes = 0;
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

/// Sets block.text to the next lines of an input that is mapped. False where there are none, of which a long line is
/// one, or the last line of an input without an end: from there on it is read as if the input was not mapped.
Result<bool> BlockReader::take_mapped(LineBlock& block) {
  if (place_.input == inputs_.size() || inputs_[place_.input].mapped == nullptr || !rest_.empty() || stream_)
    return false;
  const LineInput& input = inputs_[place_.input];
  NEARDUP_TRY(context_.check_cancel());
  const std::string_view left = input.mapped->bytes().substr(place_.offset);
  const std::string_view wanted = left.substr(0, block_bytes_);
  input.mapped->fetch(place_.offset, wanted.size());
  size_t last = wanted.rfind(line_end_);
  if (last == std::string_view::npos) last = left.substr(0, long_.most_bytes).find(line_end_, wanted.size());
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
  size_t line_begin = behind_last_end(bytes.view());
  while (place_.input < inputs_.size()) {
    const size_t before = bytes.size();
    if (before - line_begin > long_.most_bytes) {
      if (line_begin > 0) {
        set_aside(bytes, line_begin);
        return {};
      }
      NEARDUP_TRY(take_long_line(block));
      if (bytes.view().back() == line_end_) return {};
      continue;  // it was the last one of its input
    }
    const size_t wanted = before < block_bytes_ ? block_bytes_ - before : block_bytes_;
    NEARDUP_ASSIGN(const size_t got, read_some(bytes, wanted));
    if (got > 0) {
      if (const size_t begin = behind_last_end(bytes.view().substr(before)); begin > 0) line_begin = before + begin;
      if (line_begin == 0 || bytes.size() < block_bytes_) continue;
      set_aside(bytes, line_begin);
      return {};
    }
    if (bytes.size() > 0 && bytes.view().back() != line_end_) {
      bytes.reserve(bytes.size() + 1);
      bytes.data()[bytes.size()] = line_end_;
      bytes.set_size(bytes.size() + 1);
      made_end = line_begin = bytes.size();
    }
    consumed_before_ += stream_->consumed();
    stream_.reset();
    place_ = {place_.input + 1, 0};
    skip_mark();
    if (at_begin_of_mapped()) return {};
  }
  block.lacks_end = made_end > 0 && made_end == bytes.size();
  return {};
}

/// Puts what stands for it in the place of the line that block.bytes begins, with its end where it has one.
Status BlockReader::take_long_line(LineBlock& block) {
  corpus::RawBuffer& bytes = block.bytes;
  NEARDUP_TRY(long_.lines->begin());
  NEARDUP_TRY(long_.lines->append(bytes.view()));
  NEARDUP_ASSIGN(const bool has_end, append_rest_of_line(bytes));
  NEARDUP_ASSIGN(const uint64_t number, long_.lines->end());
  NEARDUP_ASSIGN(std::string line, long_.lines->stand_in(number));
  if (has_end) line += line_end_;
  bytes.set_size(0);
  bytes.reserve(line.size());
  std::memcpy(bytes.data(), line.data(), line.size());
  bytes.set_size(line.size());
  block.hidden_bytes = long_.lines->size_bytes(number) - LongLines::kStandInBytes;
  if (!long_.keys) return {};
  auto key = long_key(*long_.keys, *long_.lines, number);
  if (!key)
    return fail(key.error().code, fmt::format("'{}': {}", inputs_[place_.input].file.path, key.error().message));
  block.long_key = std::move(*key);
  return {};
}

/// Of a long line; what is behind its end is put aside. False where the input ends before.
Result<bool> BlockReader::append_rest_of_line(corpus::RawBuffer& bytes) {
  while (true) {
    bytes.set_size(0);
    NEARDUP_ASSIGN(const size_t got, read_some(bytes, block_bytes_));
    if (got == 0) return false;
    const size_t end = bytes.view().find(line_end_);
    NEARDUP_TRY(long_.lines->append(bytes.view().substr(0, end)));
    if (end == std::string_view::npos) continue;
    set_aside(bytes, end + 1);
    return true;
  }
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

/// 0 where there is no end.
size_t BlockReader::behind_last_end(std::string_view bytes) const {
  const size_t last = bytes.rfind(line_end_);
  return last == std::string_view::npos ? 0 : last + 1;
}

/// Keeps what follows for the next block.
void BlockReader::set_aside(corpus::RawBuffer& bytes, size_t from) {
  rest_.assign(bytes.view().substr(from));
  bytes.set_size(from);
}

}  // namespace neardup::lines
