#include "neardup/cli/temporary_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "neardup/base/file.h"

namespace neardup::cli {

Result<TemporaryFolder> TemporaryFolder::create() {
  std::error_code error;
  std::filesystem::path root = std::filesystem::temp_directory_path(error);
  if (error) root = "/tmp";
  TemporaryFolder folder;
  std::string pattern = (root / "neardup-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return fail_errno("cannot create temporary folder", pattern, errno);
  folder.path_ = std::move(pattern);
  return folder;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) static_cast<void>(remove_all(path_));
}

}  // namespace neardup::cli
