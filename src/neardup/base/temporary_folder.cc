#include "neardup/base/temporary_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "neardup/base/file.h"

namespace neardup {

Result<TemporaryFolder> TemporaryFolder::create(std::string prefix) {
  prefix += "XXXXXX";
  if (mkdtemp(prefix.data()) == nullptr) return fail_errno("cannot create temporary folder", prefix, errno);
  TemporaryFolder folder;
  folder.path_ = std::move(prefix);
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

}  // namespace neardup
