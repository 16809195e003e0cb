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

tl::unexpected<Error> refused(std::string_view what, const std::string& path, bool* was_short) {
  const int error = errno;
  if (was_short != nullptr) *was_short = is_shortage(error);
  return fail_errno(what, path, error);
}

// What was a file when it was found may be a pipe by now. Files of /proc have no size, and some never end.
Status check_regular(const OpenFile& file, const std::string& path, bool* was_short) {
  struct stat info = {};
  struct statfs system = {};
  if (file.descriptor < 0) return refused("cannot open", path, was_short);
  if (::fstat(file.descriptor, &info) != 0 || ::fstatfs(file.descriptor, &system) != 0)
    return refused("cannot read", path, was_short);
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

// Opens it once more: that it is there and may be read is known, so what is refused is what the system is short of.
Result<std::unique_ptr<corpus::Decompressor>> open_stream(const corpus::Input& input, bool* was_short) {
  auto stream = corpus::Decompressor::open(input);
  if (!stream && was_short != nullptr) *was_short = stream.error().code != Code::kNotFound;
  return stream;
}

// Errors: kCorruption where it is damaged.
Status decompress(const corpus::Input& input, uint64_t limit_bytes, std::string& bytes, bool* was_short) {
  constexpr size_t kLeastBytes = size_t{64} << 10;
  NEARDUP_ASSIGN(const std::unique_ptr<corpus::Decompressor> stream, open_stream(input, was_short));
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

bool is_shortage(int errno_value) { return errno_value == ENOMEM || errno_value == EMFILE || errno_value == ENFILE; }

Status check_opens(const std::string& path) {
  const OpenFile opened(path);
  return opened.descriptor < 0 ? fail_errno("cannot open", path, errno) : Status();
}

Result<uint64_t> load_bytes(const std::string& path, uint64_t limit_bytes, std::string& bytes, bool* was_short) {
  const OpenFile opened(path);
  NEARDUP_TRY(check_regular(opened, path, was_short));
  const ReadFile file = ReadFile::from_descriptor(opened.descriptor, path);
  const uint64_t size_bytes = file.size_bytes();
  if (size_bytes > limit_bytes) return too_large(path, human_bytes(static_cast<double>(size_bytes)));
  NEARDUP_ASSIGN(const corpus::Compression compression, compression_of(file));
  if (compression != corpus::Compression::kNone) {
    corpus::Input packed;
    packed.path = path;
    packed.compression = compression;
    packed.size_bytes = size_bytes;
    const Status status = decompress(packed, limit_bytes, bytes, was_short);
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
