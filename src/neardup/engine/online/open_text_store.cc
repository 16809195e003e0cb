#include "neardup/engine/online/open_text_store.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/engine/index/actions.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/store/directory_files.h"

namespace neardup::engine {
namespace {

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

Result<std::unique_ptr<TextStore>> open_text_store(const std::string& place, const store::StoreOptions& options,
                                                   const TextStoreSettings& settings) {
  NEARDUP_ASSIGN(const PlaceKind kind, kind_of_place(place));
  if (kind == PlaceKind::kFolder || kind == PlaceKind::kServer) return TextStore::open(place, options);
  if (kind == PlaceKind::kNothing)
    return fail(Code::kNotFound, fmt::format("'{}' is no store; make one with: neardup index create {}", place, place));
  NEARDUP_TRY(clear_empty_index(place, options.context));
  return TextStore::create(place, settings, options);
}

bool was_made_meanwhile(const Error& error, const std::string& place, const Context& context) {
  if (error.code != Code::kInvalidArgument || !is_on_server(place)) return false;
  const Result<bool> is_there = is_store_at(place, context);
  return is_there && *is_there;
}

Result<std::unique_ptr<TextStore>> open_or_make_store(const std::string& place, const TextStoreSettings& settings,
                                                      const store::StoreOptions& options) {
  NEARDUP_ASSIGN(const PlaceKind kind, kind_of_place(place));
  if (kind == PlaceKind::kIndex) return open_text_store(place, options, settings);
  NEARDUP_ASSIGN(const bool is_there, is_store_at(place, options.context));
  if (is_there) return TextStore::open(place, options);
  auto made = TextStore::create(place, settings, options);
  const bool is_others = !made && was_made_meanwhile(made.error(), place, options.context);
  return is_others ? TextStore::open(place, options) : std::move(made);
}

}  // namespace neardup::engine
