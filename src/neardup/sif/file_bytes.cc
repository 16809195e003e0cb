#include "neardup/sif/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/base/sizes.h"
#include "neardup/corpus/decompress.h"
#include "neardup/corpus/find/detect.h"

namespace neardup::sif {
namespace {

// Open for reading; closed at the end.
struct OpenFile {
  explicit OpenFile(const std::string& path)
      : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
  const int descriptor;
};

// What was a file when it was found may be a pipe by now. Files of /proc have no size, and some never end.
Status check_regular(const OpenFile& file, const std::string& path) {
  struct stat info = {};
  struct statfs system = {};
  if (file.descriptor < 0) return fail_errno("cannot open", path, errno);
  if (::fstat(file.descriptor, &info) != 0 || ::fstatfs(file.descriptor, &system) != 0)
    return fail_errno("cannot read", path, errno);
  if (S_ISREG(info.st_mode) && system.f_type != PROC_SUPER_MAGIC) return {};
  return fail(Code::kIo, fmt::format("'{}' is no regular file; copy what it holds to one", path));
}

tl::unexpected<Error> too_large(const std::string& path, const std::string& size) {
  return fail(Code::kMemory,
              fmt::format("'{}' has {}, more than is read at once; raise the limit of memory (4 GiB of a file are the "
                          "most)",
                          path, size));
}

Status load_plain(const ReadFile& file, std::string& bytes) {
  bytes.resize(file.size_bytes());
  NEARDUP_ASSIGN(const size_t got, file.read_at(0, std::span(bytes.data(), bytes.size())));
  bytes.resize(got);
  return {};
}

// Errors: kCorruption where it is damaged.
Status decompress(const corpus::Input& input, uint64_t limit_bytes, std::string& bytes) {
  constexpr size_t kLeastBytes = size_t{64} << 10;
  NEARDUP_ASSIGN(const std::unique_ptr<corpus::Decompressor> stream, corpus::Decompressor::open(input));
  bytes.clear();
  for (size_t got = 1, size = 0; got > 0; size += got) {
    const size_t room = std::min(std::max(kLeastBytes, size / 2), static_cast<size_t>(limit_bytes + 1) - size);
    if (room == 0) return too_large(input.path, "more than " + human_bytes(static_cast<double>(limit_bytes)));
    bytes.resize(size + room);
    NEARDUP_ASSIGN(got, stream->read(bytes.data() + size, room));
    bytes.resize(size + got);
  }
  if (stream->damage()) return fail(Code::kCorruption, stream->damage()->message);
  return {};
}

// How the file is compressed, by its first bytes.
Result<corpus::Compression> compression_of(const ReadFile& file) {
  char magic[4];
  NEARDUP_ASSIGN(const size_t got, file.read_at(0, std::span(magic)));
  return corpus::compression_of_magic({magic, got});
}

}  // namespace

Status check_opens(const std::string& path) {
  const OpenFile opened(path);
  return opened.descriptor < 0 ? fail_errno("cannot open", path, errno) : Status();
}

Result<uint64_t> load_bytes(const std::string& path, uint64_t limit_bytes, std::string& bytes) {
  const OpenFile opened(path);
  NEARDUP_TRY(check_regular(opened, path));
  const ReadFile file = ReadFile::from_descriptor(opened.descriptor, path);
  const uint64_t size_bytes = file.size_bytes();
  if (size_bytes > limit_bytes) return too_large(path, human_bytes(static_cast<double>(size_bytes)));
  NEARDUP_ASSIGN(const corpus::Compression compression, compression_of(file));
  if (compression != corpus::Compression::kNone) {
    corpus::Input packed;
    packed.path = path;
    packed.compression = compression;
    packed.size_bytes = size_bytes;
    const Status status = decompress(packed, limit_bytes, bytes);
    if (status) return size_bytes;
    // Any file may begin with these bytes; that of this name was meant to be what they say.
    const bool is_meant = corpus::compression_of_name(path) != corpus::Compression::kNone;
    if (is_meant || status.error().code != Code::kCorruption) return tl::unexpected<Error>(status.error());
  }
  NEARDUP_TRY(load_plain(file, bytes));
  return size_bytes;
}

Status load_unchanged(const File& file, uint64_t limit_bytes, std::string& bytes) {
  NEARDUP_TRY(load_bytes(file.path, limit_bytes, bytes));
  if (bytes.size() == file.size_bytes && hash128(bytes) == file.checksum) return {};
  return fail(Code::kIo, fmt::format("'{}' has changed since it was compared", file.path));
}

bool is_binary(std::string_view bytes) { return bytes.substr(0, 8192).find('\0') != std::string_view::npos; }

}  // namespace neardup::sif
