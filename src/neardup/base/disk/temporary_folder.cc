#include "neardup/base/disk/temporary_folder.h"

#include <cerrno>
#include <random>
#include <string_view>
#include <utility>

#include "neardup/base/disk/file_system.h"
#include "neardup/base/disk/folders.h"

namespace neardup {
namespace {

std::string random_name(std::random_device& random) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::uniform_int_distribution<size_t> pick(0, kLetters.size() - 1);
  std::string name(6, '\0');
  for (char& letter : name) letter = kLetters[pick(random)];
  return name;
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create(std::string prefix) {
  std::random_device random;
  while (true) {
    const std::string path = prefix + random_name(random);
    if (file_system().mkdir(path.c_str(), 0700) == 0) return TemporaryFolder(path);
    if (errno != EEXIST) return fail_errno("cannot create temporary folder", path, errno);
  }
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) remove_all_quietly(path_);
}

}  // namespace neardup
