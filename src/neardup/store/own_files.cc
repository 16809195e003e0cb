#include "neardup/store/own_files.h"

#include <fmt/format.h>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"

namespace neardup::store {
namespace {

constexpr std::string_view kOwnPrefix = "own-";

}  // namespace

std::string own_file_path(const std::string& folder, std::string_view name) {
  return fmt::format("{}/{}{}", folder, kOwnPrefix, name);
}

bool is_own_file(std::string_view name) { return name.starts_with(kOwnPrefix); }

Result<std::vector<OwnFile>> write_own_files(const std::string& folder, std::span<const GivenFile> given) {
  std::vector<OwnFile> files;
  for (const GivenFile& file : given) {
    NEARDUP_TRY(write_file_atomically(own_file_path(folder, file.name), file.bytes));
    files.push_back({file.name, file.bytes.size(), hash64(file.bytes)});
  }
  return files;
}

Status check_own_files(const std::string& folder, std::span<const OwnFile> files, bool verify) {
  for (const OwnFile& file : files) {
    const std::string path = own_file_path(folder, file.name);
    NEARDUP_ASSIGN(const FileInfo info, file_info(path));
    bool is_the_one = info.size_bytes == file.size_bytes;
    if (is_the_one && verify) {
      NEARDUP_ASSIGN(const std::string bytes, read_file(path));
      is_the_one = hash64(bytes) == file.checksum;
    }
    if (!is_the_one)
      return fail(Code::kCorruption,
                  fmt::format("'{}' is not the file that the store was made with; restore it from a copy", path));
  }
  return {};
}

}  // namespace neardup::store
