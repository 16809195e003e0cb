// Which tokens a recipe makes: what a dictionary of tokens must fit.
#pragma once

#include <string>

#include "neardup/base/result.h"
#include "neardup/recipe/spec.h"

namespace neardup::recipe {

/// Returns the canonical JSON of `recipe` without the keys that do not change its tokens: two recipes of equal text cut
/// every document into the same tokens with the same hashes. It stands in dictionary files.
[[nodiscard]] std::string tokens_json(const Recipe& recipe);

/// Checks that a dictionary counted with `tokens` (tokens_json() of the recipe it was trained with) fits `recipe`.
/// `where` names it in the message. Errors: kMismatch naming the keys that differ.
[[nodiscard]] Status check_tokens(const Recipe& recipe, const std::string& tokens, const std::string& where);

/// Checks that the dictionary `where` of the id `found` is the one that the recipe names under `key`, where it names
/// one
/// (`wanted` not empty). Errors: kMismatch.
[[nodiscard]] Status check_dictionary_id(const std::string& key, const std::string& wanted, const std::string& found,
                                         const std::string& where);

}  // namespace neardup::recipe
