#include "neardup/lines/line_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "neardup/base/disk/file_id.h"
#include "neardup/base/disk/wait_for_bytes.h"
#include "neardup/base/wide_text.h"
#include "neardup/corpus/find/detect.h"

namespace neardup::lines {
namespace {

constexpr size_t kMagicBytes = 4;

/// Reads until it can be seen whether the stream is compressed.
Status read_head(LineInput& input, const Context& context) {
  input.head.resize(kMagicBytes);
  size_t size = 0;
  while (size < kMagicBytes) {
    NEARDUP_TRY(wait_for_bytes(input.stream->descriptor(), input.file.path, context));
    NEARDUP_ASSIGN(const size_t got, input.stream->read_next(std::span(input.head).subspan(size)));
    if (got == 0) break;
    size += got;
  }
  input.head.resize(size);
  return {};
}

Status copy_stream(const LineInput& input, const std::string& path, const Context& context) {
  NEARDUP_ASSIGN(ByteStream stream, ByteStream::open(input, 0, context));
  NEARDUP_ASSIGN(AppendFile copy, AppendFile::open(path, 0));
  std::string buffer(size_t{1} << 18, '\0');
  while (true) {
    NEARDUP_ASSIGN(const size_t got, stream.read(buffer.data(), buffer.size()));
    if (got == 0) return copy.flush();
    NEARDUP_TRY(copy.append(std::string_view(buffer).substr(0, got)));
  }
}

Result<LineInput> packed_copy(const LineInput& stream, corpus::Compression compression,
                              const MakeWorkFile& make_work_file, const Context& context) {
  NEARDUP_ASSIGN(const std::string path, make_work_file("packed"));
  NEARDUP_TRY(copy_stream(stream, path, context));
  NEARDUP_ASSIGN(LineInput copy, plain_line_input(path));
  copy.file.compression = compression;
  copy.copy_of = stream.file.path;
  return copy;
}

Result<LineInput> open_stream(LineInput input, const MakeWorkFile& make_work_file, const Context& context) {
  NEARDUP_TRY(read_head(input, context));
  const corpus::Compression compression = corpus::compression_of_magic(input.head);
  if (compression == corpus::Compression::kNone) return input;
  return packed_copy(input, compression, make_work_file, context);
}

Result<std::string> first_bytes(const LineInput& input, const Context& context) {
  if (input.stream != nullptr) return input.head;
  NEARDUP_ASSIGN(ByteStream stream, ByteStream::open(input, 0, context));
  std::string bytes(std::min<uint64_t>(kMagicBytes, input.file.size_bytes), '\0');
  const auto got = stream.read(bytes.data(), bytes.size());
  bytes.resize(got ? *got : 0);  // what is damaged is told when it is read
  return bytes;
}

Status look_for_mark(LineInput& input, const Context& context) {
  NEARDUP_ASSIGN(const std::string bytes, first_bytes(input, context));
  if (bytes.starts_with(kByteOrderMark)) input.mark_bytes = kByteOrderMark.size();
  std::string_view wide = wide_mark(bytes).encoding;
  if (wide.empty()) return {};
  wide.remove_suffix(2);  // the mark says the byte order
  const std::string& name = input.copy_of.empty() ? input.file.path : input.copy_of;
  return fail(
      Code::kUnsupported,
      fmt::format("'{}' is {}, as its byte order mark says, and lines are read that end with one byte; convert it "
                  "first: iconv -f {} -t UTF-8",
                  name, wide, wide));
}

Result<LineInput> open_line_input(const std::string& path, const MakeWorkFile& make_work_file, const Context& context) {
  if (path == "-") {
    LineInput input;
    input.file.path = "standard input";
    input.stream = std::make_shared<ReadFile>(ReadFile::from_descriptor(STDIN_FILENO, input.file.path));
    return open_stream(std::move(input), make_work_file, context);
  }
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  if (info.is_directory)
    return fail(Code::kUnsupported, fmt::format("'{}' is a folder; name the files in it: {}/*", path, path));
  if (!info.is_regular || info.size_bytes == 0) {  // files of /proc do not tell their size
    LineInput input;
    input.file.path = path;
    NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path));
    input.stream = std::make_shared<ReadFile>(std::move(file));
    NEARDUP_ASSIGN(input, open_stream(std::move(input), make_work_file, context));
    const bool is_empty = input.stream != nullptr && input.head.empty();
    if (!info.is_regular || !is_empty) return input;
    input.stream.reset();  // an empty file is read as such, with no need of a copy
    input.file.modified_ns = info.modified_ns;
    return input;
  }
  NEARDUP_ASSIGN(LineInput input, plain_line_input(path));
  NEARDUP_ASSIGN(const std::string magic, corpus::peek(input.file, kMagicBytes));
  input.file.compression = corpus::compression_of_magic(magic);
  return input;
}

/// What can be read once would be torn between two readers.
Status check_streams(std::span<const std::string> paths) {
  std::vector<std::pair<FileId, std::string_view>> streams;
  for (const std::string& path : paths) {
    const std::optional<FileId> id = path == "-" ? file_id(STDIN_FILENO) : file_id(path);
    if (!id || id->is_device || (id->is_regular && path != "-")) continue;
    for (const auto& [other, name] : streams) {
      if (!(other == *id)) continue;
      return path == name
                 ? fail(Code::kInvalidArgument, path == "-" ? "standard input (-) is given twice"
                                                            : fmt::format("the pipe '{}' is given twice", path))
                 : fail(Code::kInvalidArgument,
                        fmt::format("'{}' and '{}' are one pipe, which can be read once; name it once", name, path));
    }
    streams.emplace_back(*id, path);
  }
  return {};
}

}  // namespace

Result<LineInput> plain_line_input(const std::string& path) {
  NEARDUP_ASSIGN(const FileInfo info, file_info(path));
  LineInput input;
  input.file.path = path;
  input.file.size_bytes = info.size_bytes;
  input.file.modified_ns = info.modified_ns;
  return input;
}

Result<std::vector<LineInput>> open_line_inputs(std::span<const std::string> paths, const MakeWorkFile& make_work_file,
                                                const Context& context) {
  NEARDUP_TRY(check_streams(paths));
  std::vector<LineInput> inputs;
  for (const std::string& path : paths) {
    const MakeWorkFile make_own_file = [&](std::string_view name) {
      return make_work_file(fmt::format("{}-{}", name, inputs.size()));
    };
    NEARDUP_ASSIGN(LineInput input, open_line_input(path, make_own_file, context));
    NEARDUP_TRY(look_for_mark(input, context));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

Status check_whole(const LineInput& input) {
  if (input.mapped == nullptr || !input.mapped->is_cut()) return {};
  return fail(Code::kCorruption,
              fmt::format("'{}' has become shorter than the {} bytes that it had when the run began, or cannot be "
                          "read; start again when nobody writes to it",
                          input.file.path, input.file.size_bytes));
}

Status check_unchanged(const LineInput& input) {
  NEARDUP_TRY(check_whole(input));
  if (input.stream != nullptr) return {};
  NEARDUP_ASSIGN(const FileInfo info, file_info(input.file.path));
  if (info.size_bytes == input.file.size_bytes && info.modified_ns == input.file.modified_ns) return {};
  return fail(Code::kMismatch,
              fmt::format("'{}' was changed while it was read: it had {} bytes and has {}; start again "
                          "when nobody writes to it",
                          input.file.path, input.file.size_bytes, info.size_bytes));
}

Result<ByteStream> ByteStream::open(const LineInput& input, uint64_t offset, const Context& context,
                                    const std::atomic<bool>* stop) {
  ByteStream stream(input, context, stop);
  if (input.stream != nullptr) {
    stream.offset_ = offset;
    return stream;
  }
  if (input.file.compression == corpus::Compression::kNone) {
    NEARDUP_ASSIGN(ReadFile file, ReadFile::open(input.file.path));
    stream.plain_ = std::make_unique<ReadFile>(std::move(file));
    stream.offset_ = offset;
    return stream;
  }
  NEARDUP_ASSIGN(stream.packed_, corpus::Decompressor::open(input.file, input.window_bytes));
  std::string skipped(std::min<uint64_t>(offset, uint64_t{1} << 18), '\0');
  while (offset > 0) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(const size_t got, stream.read(skipped.data(), std::min<uint64_t>(offset, skipped.size())));
    if (got == 0) break;
    offset -= got;
  }
  return stream;
}

Result<size_t> ByteStream::read(char* out, size_t size) {
  if (packed_) return read_packed(out, size);
  return plain_ ? read_plain(out, size) : read_stream(out, size);
}

Result<size_t> ByteStream::read_plain(char* out, size_t size) {
  const uint64_t left = input_->file.size_bytes - std::min(input_->file.size_bytes, offset_);
  size = static_cast<size_t>(std::min<uint64_t>(size, left));  // what was appended since is not ours
  NEARDUP_ASSIGN(const size_t got, plain_->read_at(offset_, {out, size}));
  offset_ += got;
  if (got == size) return got;
  return fail(
      Code::kCorruption,
      fmt::format("'{}' ends at byte {} but had {} bytes when the run began; start again when nobody writes to it",
                  input_->file.path, offset_, input_->file.size_bytes));
}

Result<size_t> ByteStream::read_packed(char* out, size_t size) {
  NEARDUP_ASSIGN(const size_t got, packed_->read(out, size));
  if (got > 0 || !packed_->damage()) return got;
  const std::string whose = input_->copy_of.empty() ? "" : fmt::format("a copy of '{}': ", input_->copy_of);
  return fail(Code::kCorruption, whose + packed_->damage()->message + "; the output is not whole");
}

Result<size_t> ByteStream::read_stream(char* out, size_t size) {
  size_t got = 0;
  if (offset_ < input_->head.size()) {
    got = std::min<size_t>(size, input_->head.size() - offset_);
    std::memcpy(out, input_->head.data() + offset_, got);
  } else {
    NEARDUP_TRY(wait_for_bytes(input_->stream->descriptor(), input_->file.path, context_, stop_));
    NEARDUP_ASSIGN(got, input_->stream->read_next({out, size}));
  }
  offset_ += got;
  return got;
}

}  // namespace neardup::lines
