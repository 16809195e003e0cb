#include "neardup/store/snapshot.h"

#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/store_files.h"

namespace neardup::store {
namespace {

// MANIFEST last: without it there is no store.
Status copy_files(const std::string& folder, const StoreManifest& manifest, const std::string& to) {
  for (const std::string& name : files_of(manifest)) NEARDUP_TRY(link_or_copy(folder + "/" + name, to + "/" + name));
  NEARDUP_TRY(sync_folder(to));
  return write_file_atomically(manifest_path(to), to_bytes(manifest));
}

}  // namespace

Status copy_store(const std::string& folder, const StoreManifest& manifest, const std::string& to) {
  const auto before = file_info(to);
  const bool was_there = before || before.error().code != Code::kNotFound;
  NEARDUP_TRY(create_directories_durably(to));
  NEARDUP_TRY(check_empty(to));
  const Status copied = copy_files(folder, manifest, to);
  if (copied) return {};
  remove_all_quietly(manifest_path(to));
  for (const std::string& name : files_of(manifest)) remove_all_quietly(to + "/" + name);
  if (!was_there) remove_empty_folder(to);
  return copied;
}

}  // namespace neardup::store
