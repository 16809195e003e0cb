// What of a document's bytes a recipe compares.
#pragma once

#include "neardup/recipe/spec.h"
#include "neardup/text/extract.h"

namespace neardup::recipe {

/// Returns how the fingerprinter extracts the text of a document under `recipe`.
[[nodiscard]] text::ExtractOptions extract_options(const Recipe& recipe);

}  // namespace neardup::recipe
