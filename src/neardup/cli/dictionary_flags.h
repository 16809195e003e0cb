// --dictionary and --user-dictionary: the dictionary of recipes that cut Chinese into words.
#pragma once

#include "neardup/cli/flags.h"
#include "neardup/simhash/recipe.h"

namespace neardup::cli {

/// Before the command runs, a recipe that needs a dictionary gets the one that is named or found in the usual places.
void define_dictionary_flags(Flags& flags, simhash::Recipe& recipe);

}  // namespace neardup::cli
