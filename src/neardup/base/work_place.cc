#include "neardup/base/work_place.h"

#include <filesystem>

namespace neardup {

Result<TemporaryFolder> make_work_place() {
  std::error_code error;
  std::filesystem::path root = std::filesystem::temp_directory_path(error);
  if (error) root = "/tmp";
  return TemporaryFolder::create((root / "neardup-").string());
}

}  // namespace neardup
