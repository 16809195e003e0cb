#include "neardup/base/disk/file_id.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

namespace neardup {

FileId file_id(const struct stat& info) {
  return {.device = info.st_dev,
          .number = info.st_ino,
          .is_regular = S_ISREG(info.st_mode),
          .is_device = S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)};
}

std::optional<FileId> file_id(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return file_id(info);
}

std::optional<FileId> file_id(int descriptor) {
  struct stat info {};
  if (fstat(descriptor, &info) != 0) return std::nullopt;
  return file_id(info);
}

bool is_same_place(const std::string& a, const std::string& b) {
  std::error_code error_a, error_b;
  const auto place_a = std::filesystem::weakly_canonical(std::filesystem::absolute(a, error_a), error_a);
  const auto place_b = std::filesystem::weakly_canonical(std::filesystem::absolute(b, error_b), error_b);
  return error_a || error_b ? a == b : place_a == place_b;
}

}  // namespace neardup
