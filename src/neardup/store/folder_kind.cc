#include "neardup/store/folder_kind.h"

#include <array>

#include "neardup/base/disk/file.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/manifest.h"
#include "neardup/store/store_files.h"
#include "neardup/store/store_manifest.h"

namespace neardup::store {

namespace {

// Of a folder whose MANIFEST tells nothing: a store that has lost it can be repaired.
Result<FolderKind> kind_without_manifest(const std::string& folder) {
  NEARDUP_ASSIGN(const bool is_store, has_settings_and_log(folder));
  return is_store ? FolderKind::kStore : FolderKind::kOther;
}

}  // namespace

Result<FolderKind> kind_of_folder(const std::string& folder) {
  const auto file = ReadFile::open(manifest_path(folder));
  if (!file && file.error().code == Code::kNotFound) return kind_without_manifest(folder);
  if (!file) return tl::unexpected<Error>(file.error());
  std::array<char, 8> magic{};
  NEARDUP_ASSIGN(const size_t size_bytes, file->read_at(0, magic));
  const std::string_view found(magic.data(), size_bytes);
  if (found == kStoreMagic) return FolderKind::kStore;
  return found == kManifestMagic ? FolderKind::kIndex : kind_without_manifest(folder);
}

}  // namespace neardup::store
