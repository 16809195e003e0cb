#include "neardup/store/folder_kind.h"

#include <array>

#include "neardup/base/disk/file.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/manifest.h"
#include "neardup/store/store_manifest.h"

namespace neardup::store {

Result<FolderKind> kind_of_folder(const std::string& folder) {
  const auto file = ReadFile::open(manifest_path(folder));
  if (!file && file.error().code == Code::kNotFound) return FolderKind::kOther;
  if (!file) return tl::unexpected<Error>(file.error());
  std::array<char, 8> magic{};
  NEARDUP_ASSIGN(const size_t size_bytes, file->read_at(0, magic));
  const std::string_view found(magic.data(), size_bytes);
  if (found == kStoreMagic) return FolderKind::kStore;
  return found == kManifestMagic ? FolderKind::kIndex : FolderKind::kOther;
}

}  // namespace neardup::store
