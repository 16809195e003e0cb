// dictionary=PATH and user-dictionary=FILE of --recipe: the dictionary of recipes that cut Chinese into words.
#pragma once

#include <vector>

#include "neardup/cli/recipe_flag.h"

namespace neardup::cli {

/// Before the command runs, a recipe that needs a dictionary gets the one that is named or found in the usual places.
[[nodiscard]] std::vector<RecipeOverride> dictionary_overrides(Flags& flags, recipe::Recipe& recipe);

}  // namespace neardup::cli
