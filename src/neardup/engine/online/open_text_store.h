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
/// name; where others make it at the same moment it opens theirs.
[[nodiscard]] Result<std::unique_ptr<TextStore>> open_or_make_store(const std::string& place,
                                                                    const TextStoreSettings& settings,
                                                                    const store::StoreOptions& options = {});
/// Returns whether a store was not made, for this error of TextStore::create(), as there is one on the server: where
/// there was none a moment ago, another process was faster. A folder is one process's alone.
[[nodiscard]] bool was_made_meanwhile(const Error& error, const std::string& place, const Context& context = {});

}  // namespace neardup::engine
