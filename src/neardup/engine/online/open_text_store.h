// A store of texts, opened where it is, or made where there is nothing yet.
#pragma once

#include <memory>
#include <string>

#include "neardup/base/result.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::engine {

/// Opens the store of texts at a place (store_place.h). Where that is a folder with an index without documents, such as
/// `neardup index create` makes by itself, a store with `settings` takes its place. Errors: kNotFound with the cure
/// where there is nothing; kInvalidArgument where it is an index of fingerprints, or a store of something else; as
/// TextStore::open().
[[nodiscard]] Result<std::unique_ptr<TextStore>> open_text_store(const std::string& place,
                                                                 const store::StoreOptions& options = {},
                                                                 const TextStoreSettings& settings = {});
/// The same, but makes a store with `settings` where the folder is empty or not there, or the server has none of that
/// name.
[[nodiscard]] Result<std::unique_ptr<TextStore>> open_or_make_store(const std::string& place,
                                                                    const TextStoreSettings& settings,
                                                                    const store::StoreOptions& options = {});

}  // namespace neardup::engine
