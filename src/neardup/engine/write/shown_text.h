// What people are shown of a document: the text that was compared, and which of its words were compared as equal.
#pragma once

#include <string>
#include <string_view>

#include "neardup/diff/diff.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// Returns the text that `recipe` takes out of a document: the main text of a page in UTF-8, before masks and
/// normalisation; whatever else as it is.
[[nodiscard]] std::string shown_text(const recipe::Recipe& recipe, std::string_view bytes);

/// Returns the recipe by which documents are compared that are said to be pages, whatever `recipe` says of pages.
[[nodiscard]] recipe::Recipe recipe_of_pages(const recipe::Recipe& recipe);

/// Returns what words become under the recipe's normalisation (letter case, traditional Han, full width, ...).
/// Threads: one copy per thread.
[[nodiscard]] diff::FoldWord fold_word_of(const recipe::Recipe& recipe);

}  // namespace neardup::engine
