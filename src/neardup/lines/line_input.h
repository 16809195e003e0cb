// One input of lines: a file, or a stream that can be read once.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/disk/shared_file.h"
#include "neardup/corpus/decompress.h"
#include "neardup/corpus/input.h"

namespace neardup::lines {

struct LineInput {
  corpus::Input file;                                              // path, compression, size and time
  std::shared_ptr<ReadFile> stream;                                // of a pipe or a device, else null
  std::string head;                                                // what was read of the stream to see what it is
  uint64_t window_bytes = corpus::Decompressor::kMostWindowBytes;  // the most that decompressing may hold
  std::string copy_of;                                             // the stream that the file was copied from
  uint64_t mark_bytes = 0;  // of the byte order mark before the first line, which is no part of it
  std::shared_ptr<const SharedFile> mapped = {};  // the file, where it is read as memory
};

/// The byte order mark of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Returns the path of a new work file with this ending.
using MakeWorkFile = std::function<Result<std::string>(std::string_view name)>;

/// Opens files, pipes, devices, and "-" for standard input. A stream that is compressed is copied to a work file first.
/// Errors: kNotFound, kIo, kDiskFull, kCancelled; kUnsupported for a folder, and for text whose byte order mark says
/// that a line end is more than one byte; kInvalidArgument where a pipe comes twice.
[[nodiscard]] Result<std::vector<LineInput>> open_line_inputs(std::span<const std::string> paths,
                                                              const MakeWorkFile& make_work_file,
                                                              const Context& context);

/// Returns the plain file at `path` as an input. Errors: kNotFound, kIo.
[[nodiscard]] Result<LineInput> plain_line_input(const std::string& path);

/// Errors: kCorruption where an input that is mapped has become shorter.
[[nodiscard]] Status check_whole(const LineInput& input);

/// Errors: kMismatch where the file is another one than when it was opened.
[[nodiscard]] Status check_unchanged(const LineInput& input);

/// The bytes of one input in order, decompressed. Threads: one at a time. Must not outlive the input.
class ByteStream {
 public:
  /// Begins at byte `offset`. `stop`, where it is given, ends the waiting for a stream that says nothing. Requires: no
  /// more than mark_bytes for a stream. Errors: those of read().
  [[nodiscard]] static Result<ByteStream> open(const LineInput& input, uint64_t offset, const Context& context,
                                               const std::atomic<bool>* stop = nullptr);
  /// Reads up to `size` bytes to `out`; 0 only at the end. Errors: kIo; kCorruption where compressed data is damaged or
  /// a file has become shorter; kCancelled.
  [[nodiscard]] Result<size_t> read(char* out, size_t size);
  /// Bytes of the file used so far.
  [[nodiscard]] uint64_t consumed() const { return packed_ ? packed_->consumed() : offset_; }

 private:
  ByteStream(const LineInput& input, const Context& context, const std::atomic<bool>* stop)
      : input_(&input), context_(context), stop_(stop) {}
  Result<size_t> read_plain(char* out, size_t size);
  Result<size_t> read_packed(char* out, size_t size);
  Result<size_t> read_stream(char* out, size_t size);

  const LineInput* input_;
  Context context_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<ReadFile> plain_;
  std::unique_ptr<corpus::Decompressor> packed_;
  uint64_t offset_ = 0;
};

}  // namespace neardup::lines
