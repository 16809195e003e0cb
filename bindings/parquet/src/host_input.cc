#include "host_input.h"

#include <algorithm>
#include <cstring>

namespace neardup::parquet_module {
namespace {

constexpr size_t kReadAheadBytes = size_t{1} << 15;

}  // namespace

::arrow::Status read_exactly(const HostFile& file, uint64_t offset, char* out, size_t size) {
  size_t got = 0;
  if (!file.read_at(offset, out, size, got)) return ::arrow::Status::IOError("the file cannot be read");
  if (got == size) return {};
  return ::arrow::Status::IOError("the file ends at byte ", offset + got, ", and is said to go on");
}

::arrow::Status HostInput::Seek(int64_t position) {
  position_ = position;
  return {};
}

::arrow::Result<int64_t> HostInput::Read(int64_t size, void* out) {
  ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(position_, size, out));
  position_ += got;
  return got;
}

::arrow::Result<std::shared_ptr<::arrow::Buffer>> HostInput::Read(int64_t size) {
  ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, size));
  position_ += buffer->size();
  return buffer;
}

::arrow::Result<int64_t> HostInput::ReadAt(int64_t position, int64_t size, void* out) {
  const auto end = static_cast<int64_t>(file_.size_bytes());
  if (position < 0 || position > end || size < 0) return ::arrow::Status::IOError("a place outside the file");
  const int64_t wanted = std::min(size, end - position);
  ARROW_RETURN_NOT_OK(
      read_exactly(file_, static_cast<uint64_t>(position), static_cast<char*>(out), static_cast<size_t>(wanted)));
  return wanted;
}

::arrow::Result<std::shared_ptr<::arrow::Buffer>> HostInput::ReadAt(int64_t position, int64_t size) {
  const int64_t wanted = std::clamp<int64_t>(static_cast<int64_t>(file_.size_bytes()) - position, 0, size);
  ARROW_ASSIGN_OR_RAISE(auto buffer, ::arrow::AllocateResizableBuffer(wanted, pool_));
  ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(position, wanted, buffer->mutable_data()));
  ARROW_RETURN_NOT_OK(buffer->Resize(got));
  return buffer;
}

uint64_t RangeStream::place() const {
  if (range_ == ranges_.size()) return ranges_.empty() ? 0 : ranges_.back().end;
  return ranges_[range_].begin + in_range_ - (buffer_.size() - begin_);
}

void RangeStream::leave_range() {
  if (range_ == ranges_.size() || ranges_[range_].begin + in_range_ < ranges_[range_].end) return;
  ++range_;
  in_range_ = 0;
}

::arrow::Status RangeStream::read_from_file(char* out, size_t size, size_t& got) {
  got = 0;
  if (range_ == ranges_.size()) return {};
  const uint64_t place = ranges_[range_].begin + in_range_;
  got = static_cast<size_t>(std::min<uint64_t>(size, ranges_[range_].end - place));
  ARROW_RETURN_NOT_OK(read_exactly(file_, place, out, got));
  in_range_ += got;
  return {};
}

void RangeStream::drop(size_t size) {
  begin_ += size;
  if (begin_ < buffer_.size()) return;
  buffer_.clear();
  begin_ = 0;
}

/// Header and page never lie in two ranges.
::arrow::Result<std::string_view> RangeStream::Peek(int64_t size) {
  const auto wanted = static_cast<size_t>(std::max<int64_t>(size, 0));
  if (buffer_.size() - begin_ < wanted) {
    buffer_.erase(0, begin_);
    begin_ = 0;
    const size_t had = buffer_.size();
    if (had == 0) leave_range();
    buffer_.resize(std::max(wanted, kReadAheadBytes));
    size_t got = 0;
    const ::arrow::Status status = read_from_file(buffer_.data() + had, buffer_.size() - had, got);
    buffer_.resize(had + got);
    ARROW_RETURN_NOT_OK(status);
  }
  peeked_place_ = place();
  return std::string_view(buffer_).substr(begin_, wanted);
}

::arrow::Result<int64_t> RangeStream::Read(int64_t size, void* out) {
  auto* const bytes = static_cast<char*>(out);
  const auto wanted = static_cast<size_t>(std::max<int64_t>(size, 0));
  size_t done = std::min(wanted, buffer_.size() - begin_);
  if (done > 0) std::memcpy(bytes, buffer_.data() + begin_, done);
  drop(done);
  while (done < wanted) {
    size_t got = 0;
    leave_range();
    ARROW_RETURN_NOT_OK(read_from_file(bytes + done, wanted - done, got));
    if (got == 0) break;
    done += got;
  }
  return static_cast<int64_t>(done);
}

::arrow::Result<std::shared_ptr<::arrow::Buffer>> RangeStream::Read(int64_t size) {
  if (passes_over_) {
    passes_over_ = false;
    const auto wanted = static_cast<uint64_t>(std::max<int64_t>(size, 0));
    const uint64_t held = std::min<uint64_t>(wanted, buffer_.size() - begin_);
    drop(static_cast<size_t>(held));
    if (range_ < ranges_.size()) {
      const uint64_t left = ranges_[range_].end - ranges_[range_].begin - in_range_;
      if (wanted - held > left) return ::arrow::Status::IOError("a page ends behind the end of its column");
      in_range_ += wanted - held;
    }
    return std::make_shared<::arrow::Buffer>(nullptr, 0);
  }
  const uint64_t held = buffer_.size() - begin_;
  uint64_t there = held;
  for (size_t i = range_; i < ranges_.size(); ++i)
    there += ranges_[i].end - ranges_[i].begin - (i == range_ ? in_range_ : 0);
  const auto wanted =
      static_cast<int64_t>(std::min<uint64_t>(static_cast<uint64_t>(std::max<int64_t>(size, 0)), there));
  ARROW_ASSIGN_OR_RAISE(auto buffer, ::arrow::AllocateResizableBuffer(wanted, pool_));
  ARROW_ASSIGN_OR_RAISE(const int64_t got, Read(wanted, buffer->mutable_data()));
  ARROW_RETURN_NOT_OK(buffer->Resize(got));
  return buffer;
}

}  // namespace neardup::parquet_module
