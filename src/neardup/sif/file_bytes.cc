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

}  // namespace

Status check_opens(const std::string& path) {
  const OpenFile opened(path);
  return opened.descriptor < 0 ? fail_errno("cannot open", path, errno) : Status();
}

Status load_bytes(const std::string& path, uint64_t limit_bytes, std::string& bytes) {
  const OpenFile opened(path);
  NEARDUP_TRY(check_regular(opened, path));
  const ReadFile file = ReadFile::from_descriptor(opened.descriptor, path);
  const uint64_t size_bytes = file.size_bytes();
  if (size_bytes > limit_bytes)
    return fail(
        Code::kMemory,
        fmt::format("'{}' has {}, more than is read at once; raise the limit of memory (4 GiB of a file are the "
                    "most)",
                    path, human_bytes(static_cast<double>(size_bytes))));
  bytes.resize(size_bytes);
  NEARDUP_ASSIGN(const size_t got, file.read_at(0, std::span(bytes.data(), bytes.size())));
  bytes.resize(got);
  return {};
}

Status load_unchanged(const File& file, uint64_t limit_bytes, std::string& bytes) {
  NEARDUP_TRY(load_bytes(file.path, limit_bytes, bytes));
  if (bytes.size() == file.size_bytes && hash128(bytes) == file.checksum) return {};
  return fail(Code::kIo, fmt::format("'{}' has changed since it was compared", file.path));
}

bool is_binary(std::string_view bytes) { return bytes.substr(0, 8192).find('\0') != std::string_view::npos; }

}  // namespace neardup::sif
