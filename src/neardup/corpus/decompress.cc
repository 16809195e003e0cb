#include "neardup/corpus/decompress.h"

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <bit>
#include <cstring>
#include <new>

#include "neardup/corpus/raw_buffer.h"
#include "neardup/corpus/source_file.h"

namespace neardup::corpus {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 17;
constexpr size_t kPieceChunkBytes = size_t{1} << 20;  // where pieces are read at once
constexpr size_t kPieceBytes = size_t{1} << 19;       // longer ones are not, after compression

class GzipStream : public Decompressor {
 public:
  GzipStream() {
    constexpr int kGzipOnly = 15 + 16;                                      // the largest window, and a gzip header
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();  // all else it is given is right
  }
  ~GzipStream() override { inflateEnd(&stream_); }

 protected:
  Step step(std::string_view& in, char*& out, char* end) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(end - out);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();  // the file is as good as before
    in.remove_prefix(in.size() - stream_.avail_in);
    out = end - stream_.avail_out;
    if (status == Z_STREAM_END) {
      inflateReset(&stream_);
      return Step::kEndOfPiece;
    }
    return status == Z_OK || status == Z_BUF_ERROR ? Step::kMore : Step::kDamaged;
  }
  void reset() override { inflateReset(&stream_); }
  std::string_view magic() const override { return "\x1F\x8B\x08"; }
  /// libdeflate takes less than half the time of zlib, and can do nothing else than this.
  size_t whole_piece(std::string_view& in, char* out, size_t size) override {
    if (whole_ == nullptr) whole_.reset(libdeflate_alloc_decompressor());
    if (whole_ == nullptr) throw std::bad_alloc();
    size_t used = 0, made = 0;
    const libdeflate_result result =
        libdeflate_gzip_decompress_ex(whole_.get(), in.data(), in.size(), out, size, &used, &made);
    if (result != LIBDEFLATE_SUCCESS || made == 0) return 0;
    in.remove_prefix(used);
    return made;
  }
  bool allows_zero_padding() const override { return true; }
  Damage describe_damage() const override {
    const std::string what = stream_.msg != nullptr ? stream_.msg : "damaged data";
    if (what != "incorrect header check") return {"corrupt", "gzip: " + what};
    return {"corrupt", "gzip: " + what + ": no gzip data here; take .gz off the name of a file that is not compressed"};
  }

 private:
  struct Free {
    void operator()(libdeflate_decompressor* decompressor) const noexcept {
      libdeflate_free_decompressor(decompressor);
    }
  };
  z_stream stream_ = {};
  std::unique_ptr<libdeflate_decompressor, Free> whole_;
};

class ZstdStream : public Decompressor {
 public:
  explicit ZstdStream(uint64_t most_window_bytes)
      : context_(ZSTD_createDCtx()), window_log_(static_cast<int>(std::bit_width(most_window_bytes)) - 1) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, window_log_);
  }
  ~ZstdStream() override { ZSTD_freeDCtx(context_); }

 protected:
  Step step(std::string_view& in, char*& out, char* end) override {
    ZSTD_inBuffer input = {in.data(), in.size(), 0};
    ZSTD_outBuffer output = {out, static_cast<size_t>(end - out), 0};
    const size_t status = ZSTD_decompressStream(context_, &output, &input);
    in.remove_prefix(input.pos);
    out += output.pos;
    if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(status)) {
      error_ = status;
      return Step::kDamaged;
    }
    return status == 0 ? Step::kEndOfPiece : Step::kMore;
  }
  void reset() override { ZSTD_DCtx_reset(context_, ZSTD_reset_session_only); }
  std::string_view magic() const override { return "\x28\xB5\x2F\xFD"; }
  bool allows_zero_padding() const override { return false; }
  Damage describe_damage() const override {
    if (ZSTD_getErrorCode(error_) == ZSTD_error_frameParameter_windowTooLarge) {
      const bool by_memory = uint64_t{1} << window_log_ < kMostWindowBytes;
      return {"unreadable", "zstd: needs a window of more than " + std::to_string((uint64_t{1} << window_log_) >> 20) +
                                " MiB; " + (by_memory ? "raise --memory, or " : "") +
                                "compress it again with --long=" + std::to_string(window_log_) + " or less"};
    }
    return {"corrupt", std::string("zstd: ") + ZSTD_getErrorName(error_)};
  }

 private:
  ZSTD_DCtx* context_;
  int window_log_;
  size_t error_ = 0;
};

}  // namespace

struct Decompressor::File {
  std::string path;
  SourceFile source;
  uint64_t size_bytes = 0;  // at discovery: what was appended later is not ours
  uint64_t offset = 0;      // read so far
  int failure = 0;
  size_t chunk_bytes = kChunkBytes;
  Bytes chunk = make_bytes(kChunkBytes);
};

void Decompressor::FileDelete::operator()(File* file) const noexcept { delete file; }

Result<std::unique_ptr<Decompressor>> Decompressor::open(const Input& input, uint64_t most_window_bytes) {
  std::unique_ptr<Decompressor> stream;
  if (input.compression == Compression::kGzip) {
    stream = std::make_unique<GzipStream>();
  } else {
    stream = std::make_unique<ZstdStream>(most_window_bytes);
  }
  stream->file_.reset(new File);
  stream->file_->path = input.path;
  stream->file_->size_bytes = input.size_bytes;
  if (const int error = stream->file_->source.open(input.path); error != 0) {
    NEARDUP_TRY(check_failure(input.path, error));
    stream->stop({"unreadable", std::strerror(error)});
  }
  return stream;
}

void Decompressor::stop(Damage damage) {
  damage.message = "'" + file_->path + "' from byte " + std::to_string(consumed_) + " on: " + damage.message;
  damage_ = std::move(damage);
  done_ = true;
}

/// Reads the next chunk of the file if the last one is used up.
Status Decompressor::fill() {
  if (!in_.empty()) return {};
  NEARDUP_ASSIGN(const size_t got, fill(0, file_->chunk_bytes));
  in_ = {file_->chunk.get(), got};
  return {};
}

/// Reads up to `want` bytes to `begin` in the chunk.
Result<size_t> Decompressor::fill(size_t begin, size_t want) {
  File& file = *file_;
  const uint64_t left = file.size_bytes - file.offset;
  if (left < want) want = static_cast<size_t>(left);
  size_t got = 0;
  if (const int error = file.source.read_at(file.offset, file.chunk.get() + begin, want, got); error != 0) {
    NEARDUP_TRY(check_failure(file.path, error));
    stop({"unreadable", std::strerror(error)});
    return size_t{0};
  }
  file.offset += got;
  if (got < want) file.size_bytes = file.offset;  // the file became shorter
  return got;
}

/// The piece that begins here, where that can be done at once; else 0, and nothing is used.
Result<size_t> Decompressor::read_whole_piece(char* out, size_t size) {
  File& file = *file_;
  if (in_.size() < kPieceBytes && file.offset < file.size_bytes) {
    const size_t held = in_.size();
    Bytes next = file.chunk_bytes == kPieceChunkBytes ? nullptr : make_bytes(kPieceChunkBytes);
    if (held != 0) std::memmove(next ? next.get() : file.chunk.get(), in_.data(), held);
    if (next) file.chunk = std::move(next);
    file.chunk_bytes = kPieceChunkBytes;
    NEARDUP_ASSIGN(const size_t got, fill(held, kPieceChunkBytes - held));
    in_ = {file.chunk.get(), held + got};
    if (done_) return size_t{0};
  }
  const size_t before = in_.size();
  const size_t made = whole_piece(in_, out, size);
  if (made == 0) return size_t{0};
  piece_begin_ = consumed_;
  consumed_ += before - in_.size();
  ended_piece_ = true;
  return made;
}

void Decompressor::skip_padding() {
  const size_t zeros = std::min(in_.find_first_not_of('\0'), in_.size());
  in_.remove_prefix(zeros);
  consumed_ += zeros;
}

Result<size_t> Decompressor::read(char* out, size_t size) { return read(out, size, false); }

Result<size_t> Decompressor::read_piece(char* out, size_t size) { return read(out, size, true); }

Result<size_t> Decompressor::read(char* out, size_t size, bool stops_at_end) {
  char* const begin = out;
  char* const end = out + size;
  ended_piece_ = false;
  while (out != end && !done_ && !(stops_at_end && ended_piece_)) {
    NEARDUP_TRY(fill());
    if (done_) break;
    if (!inside_piece_ && consumed_ != 0 && allows_zero_padding() && !in_.empty()) {
      skip_padding();
      if (in_.empty()) continue;
    }
    if (stops_at_end && !inside_piece_ && !in_.empty()) {
      NEARDUP_ASSIGN(const size_t made, read_whole_piece(out, static_cast<size_t>(end - out)));
      if (made != 0) return static_cast<size_t>(out - begin) + made;
      if (done_) break;
    }
    const bool at_file_end = in_.empty();
    if (at_file_end && !inside_piece_ && consumed_ != 0) {
      done_ = true;
      break;
    }
    const size_t before = in_.size();
    const char* const out_before = out;
    if (!inside_piece_) piece_begin_ = consumed_;
    const Step result = step(in_, out, end);
    consumed_ += before - in_.size();
    inside_piece_ = result != Step::kEndOfPiece;
    ended_piece_ = !inside_piece_;
    if (result == Step::kDamaged) {
      stop(describe_damage());
    } else if (at_file_end && out == out_before && inside_piece_) {
      stop({"truncated", "the file ends in the middle of compressed data"});
    }
  }
  return static_cast<size_t>(out - begin);
}

/// Sets the reading to the next magic bytes at or behind `from`.
Result<bool> Decompressor::find_piece(uint64_t from) {
  File& file = *file_;
  const std::string_view wanted = magic();
  in_ = {};
  for (file.offset = from; file.offset < file.size_bytes;) {
    const uint64_t chunk_begin = file.offset;
    in_ = {};
    NEARDUP_TRY(fill());
    if (done_) return false;
    const size_t found = in_.find(wanted);
    if (found != std::string_view::npos) {
      consumed_ = chunk_begin + found;
      in_.remove_prefix(found);
      return true;
    }
    if (in_.size() < wanted.size()) break;
    file.offset -= wanted.size() - 1;  // they may lie across the border
    if (file.offset + wanted.size() > file.size_bytes) break;
  }
  in_ = {};
  return false;
}

Result<bool> Decompressor::skip_damage() {
  if (!damage_ || damage_->reason == "unreadable") return false;
  furthest_ = std::max(furthest_, consumed_);
  const uint64_t again = consumed_ - piece_begin_;
  const bool reads_again = reread_ + again <= furthest_;
  if (reads_again) reread_ += again;
  reset();
  inside_piece_ = done_ = ended_piece_ = false;
  damage_.reset();
  NEARDUP_ASSIGN(const bool found, find_piece(reads_again ? piece_begin_ + 1 : std::max(consumed_, piece_begin_ + 1)));
  if (found) return true;
  done_ = true;
  return false;
}

}  // namespace neardup::corpus
