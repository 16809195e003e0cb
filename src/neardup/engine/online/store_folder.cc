#include "neardup/engine/online/store_folder.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/engine/index/actions.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/folder_kind.h"

namespace neardup::engine {
namespace {

using store::FolderKind;

// Requires that the folder is an index. Nobody else can write to it meanwhile.
Status clear_empty_index(const std::string& folder, const Context& context) {
  NEARDUP_ASSIGN(const FingerprintIndex index, FingerprintIndex::open_to_write(folder, index_options(1, 0, context)));
  if (index.figures().documents > 0 || !index.settings().recipe_id.empty())
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' is an index of fingerprints, which has no texts to compare; make a store of texts in "
                            "another folder: neardup index create DIR --recipe default",
                            folder));
  NEARDUP_ASSIGN(const std::vector<std::string> names, list_folder(folder));
  for (const std::string& name : names)
    if (name != store::kLockName && folder + "/" + name != store::manifest_path(folder))
      return fail(
          Code::kInvalidArgument,
          fmt::format("'{}' holds '{}' beside an empty index; a store needs a folder of its own", folder, name));
  return remove_all(store::manifest_path(folder));
}

}  // namespace

Result<std::unique_ptr<TextStore>> open_store_folder(const std::string& folder, const store::StoreOptions& options,
                                                     const TextStoreSettings& settings) {
  NEARDUP_ASSIGN(const FolderKind kind, store::kind_of_folder(folder));
  if (kind == FolderKind::kStore) return TextStore::open(folder, options);
  if (kind == FolderKind::kOther)
    return fail(Code::kNotFound,
                fmt::format("'{}' is no store; make one with: neardup index create {}", folder, folder));
  NEARDUP_TRY(clear_empty_index(folder, options.context));
  return TextStore::create(folder, settings, options);
}

Result<std::unique_ptr<TextStore>> open_or_make_store(const std::string& folder, const TextStoreSettings& settings,
                                                      const store::StoreOptions& options) {
  NEARDUP_ASSIGN(const FolderKind kind, store::kind_of_folder(folder));
  if (kind == FolderKind::kOther) return TextStore::create(folder, settings, options);
  return open_store_folder(folder, options, settings);
}

}  // namespace neardup::engine
