// The host's file as libparquet takes it: at random, and as a stream of some of its ranges.
#pragma once

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "guard.h"

namespace neardup::parquet_module {

/// Reads exactly [offset, offset + size) of `file`. Errors: IOError, also where the file ends too early.
[[nodiscard]] ::arrow::Status read_exactly(const HostFile& file, uint64_t offset, char* out, size_t size);

/// The whole file, for the footer. Threads: any.
class HostInput : public ::arrow::io::RandomAccessFile {
 public:
  HostInput(const HostFile& file, ::arrow::MemoryPool* pool) : file_(file), pool_(pool) {}

  ::arrow::Status Close() override { return {}; }
  [[nodiscard]] bool closed() const override { return false; }
  ::arrow::Result<int64_t> Tell() const override { return position_; }
  ::arrow::Status Seek(int64_t position) override;
  ::arrow::Result<int64_t> Read(int64_t size, void* out) override;
  ::arrow::Result<std::shared_ptr<::arrow::Buffer>> Read(int64_t size) override;
  ::arrow::Result<int64_t> GetSize() override { return static_cast<int64_t>(file_.size_bytes()); }
  ::arrow::Result<int64_t> ReadAt(int64_t position, int64_t size, void* out) override;
  ::arrow::Result<std::shared_ptr<::arrow::Buffer>> ReadAt(int64_t position, int64_t size) override;

 private:
  const HostFile& file_;
  ::arrow::MemoryPool* const pool_;
  int64_t position_ = 0;
};

struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Ranges of the file, one after the other. Threads: one at a time.
class RangeStream : public ::arrow::io::InputStream {
 public:
  RangeStream(const HostFile& file, ::arrow::MemoryPool* pool, std::vector<Range> ranges)
      : file_(file), pool_(pool), ranges_(std::move(ranges)) {}

  ::arrow::Status Close() override { return {}; }
  [[nodiscard]] bool closed() const override { return false; }
  ::arrow::Result<int64_t> Tell() const override { return static_cast<int64_t>(place()); }
  ::arrow::Result<std::string_view> Peek(int64_t size) override;
  ::arrow::Result<int64_t> Read(int64_t size, void* out) override;
  ::arrow::Result<std::shared_ptr<::arrow::Buffer>> Read(int64_t size) override;

  /// Returns the place in the file of the byte that comes next.
  [[nodiscard]] uint64_t place() const;
  /// Returns the place() at which Peek() was called last.
  [[nodiscard]] uint64_t peeked_place() const { return peeked_place_; }
  /// The next Read() passes over its bytes without reading them.
  void pass_over_next() { passes_over_ = true; }

 private:
  /// Goes to the next range at the end of one. Requires: nothing of that is held, so that place() knows one range.
  void leave_range();
  /// Reads from where the buffer ends, to the end of the range at most.
  ::arrow::Status read_from_file(char* out, size_t size, size_t& got);
  void drop(size_t size);

  const HostFile& file_;
  ::arrow::MemoryPool* const pool_;
  std::vector<Range> ranges_;
  size_t range_ = 0;       // that the buffer ends in
  uint64_t in_range_ = 0;  // bytes of it that were read
  std::string buffer_;     // bytes that were read ahead, from `begin_` on
  size_t begin_ = 0;
  uint64_t peeked_place_ = 0;
  bool passes_over_ = false;
};

}  // namespace neardup::parquet_module
