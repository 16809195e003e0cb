// The settings of a store of texts, and their place in the store.
#pragma once

#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/online/matcher.h"
#include "neardup/engine/online/text_store.h"
#include "neardup/store/document_store.h"
#include "neardup/store/own_files.h"

namespace neardup::engine {

/// Returns what the store is told. `matcher`: of `settings`.
[[nodiscard]] store::StoreSettings store_settings(const TextStoreSettings& settings, const Matcher& matcher);

/// Returns what a store must keep to compare by `settings` again. Errors: of reading the files that they name.
[[nodiscard]] Result<std::vector<store::GivenFile>> files_of(const TextStoreSettings& settings, const Matcher& matcher);

/// Returns the settings of a store, by which make_matcher() makes the same matcher. Errors: kInvalidArgument where it
/// is not one of texts; of reading its files.
[[nodiscard]] Result<TextStoreSettings> text_store_settings(const store::Store& store);

}  // namespace neardup::engine
