// What a store of texts is made with: one set of flags for all commands that make one.
#pragma once

#include <string>
#include <vector>

#include "neardup/cli/flags.h"
#include "neardup/engine/online/text_store.h"

namespace neardup::cli {

/// --recipe, --verify, --templates, --commonness, --family, --records, --contained, --keep-texts.
void define_text_store_flags(Flags& flags, engine::TextStoreSettings& settings);
/// Returns them.
[[nodiscard]] const std::vector<std::string>& text_store_flags();

}  // namespace neardup::cli
