// --recipe NAME,KEY=VALUE,...: a recipe and what is changed of it (recipe/typed_recipe.h reads it).
#pragma once

#include <memory>
#include <string>

#include "neardup/cli/flags.h"
#include "neardup/recipe/typed_recipe.h"

namespace neardup::cli {

/// What --recipe takes, as the help shows it.
inline constexpr const char* kRecipeValue = "NAME|FILE[,KEY=VALUE]...";

/// What was typed, once the flags are read.
struct TypedRecipe {
  recipe::RecipeWords words;
  recipe::RecipeFiles files;
};

/// --recipe, and for one version more the hidden flags --extraction, --mask, --quotes, --dictionary, --user-dictionary,
/// --phrases. `recipe` becomes the default recipe; the dictionary that it needs and the phrases are opened before the
/// command runs. `memory_bytes` is where --memory is put, of which phrases may take a share; null = no limit.
void define_recipe_flag(Flags& flags, recipe::Recipe& recipe, const uint64_t* memory_bytes = nullptr);

/// The same with idf=FILE. `names_recipe` is told whether one is named, for a command that takes `shown_default`, or
/// the recipe of a store, where none is.
std::shared_ptr<TypedRecipe> define_recipe_flags(Flags& flags, recipe::Recipe& recipe, std::string& idf_file,
                                                 const uint64_t* memory_bytes = nullptr, bool* names_recipe = nullptr,
                                                 const std::string& shown_default = recipe::default_recipe().name);

}  // namespace neardup::cli
