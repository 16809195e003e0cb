#include "neardup/server/secret_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "neardup/base/disk/file.h"
#include "neardup/base/shell_word.h"

namespace neardup::server {
namespace {

constexpr size_t kMostBytes = size_t{1} << 20;

Result<std::string> read_all(ReadFile& file) {
  constexpr size_t kPiece = 4096;
  std::string bytes;
  while (bytes.size() <= kMostBytes) {
    const size_t before = bytes.size();
    bytes.resize(before + kPiece);
    NEARDUP_ASSIGN(const size_t size, file.read_next(std::span(bytes).subspan(before)));
    bytes.resize(before + size);
    if (size == 0) return bytes;
  }
  return fail(Code::kMemory, fmt::format("'{}' has more than {} bytes; keys have few", file.path(), kMostBytes));
}

}  // namespace

Status check_rights(const std::string& path, const FileRights& rights, uint32_t user) {
  if (rights.owner != 0 && rights.owner != user)
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' holds keys, and belongs to another user (number {}), who may read and change it; "
                            "make it yours: chown {} {}",
                            path, rights.owner, user, shell_word(path)));
  const bool is_handed_out = rights.owner == 0 && (user != 0 || rights.group != 0);
  const uint32_t others = S_IRWXO | (is_handed_out ? S_IWGRP | S_IXGRP : S_IRWXG);
  if ((rights.mode & others) == 0) return {};
  constexpr uint32_t kModes = 0777;
  return fail(
      Code::kInvalidArgument,
      fmt::format("'{}' holds keys, and other users may read or change it (mode {:04o}); make it yours alone: "
                  "chmod 600 {} (where it is mounted by the mode of the mount: defaultMode: 0400 in Kubernetes)",
                  path, rights.mode & kModes, shell_word(path)));
}

// What is looked at is what is read, whatever the name leads to a moment later.
Result<std::string> read_secret_file(const std::string& path) {
  NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path));
  struct stat found {};
  if (::fstat(file.descriptor(), &found) != 0) return fail_errno("cannot look at", path, errno);
  if (S_ISREG(found.st_mode)) NEARDUP_TRY(check_rights(path, {found.st_uid, found.st_gid, found.st_mode}, geteuid()));
  return read_all(file);
}

}  // namespace neardup::server
