// The folder of a store of texts: opened, or made where there is nothing yet.
#pragma once

#include <memory>
#include <string>

#include "neardup/base/result.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::engine {

/// Opens the store of texts in a folder. Where that is an index without documents, such as `neardup index create` makes
/// by itself, a store with `settings` takes its place. Errors: kNotFound with the cure where there is nothing;
/// kInvalidArgument where it is an index of fingerprints, or a store of something else; as TextStore::open().
[[nodiscard]] Result<std::unique_ptr<TextStore>> open_store_folder(const std::string& folder,
                                                                   const store::StoreOptions& options = {},
                                                                   const TextStoreSettings& settings = {});
/// The same, but makes a store with `settings` where the folder is empty or not there.
[[nodiscard]] Result<std::unique_ptr<TextStore>> open_or_make_store(const std::string& folder,
                                                                    const TextStoreSettings& settings,
                                                                    const store::StoreOptions& options = {});

}  // namespace neardup::engine
