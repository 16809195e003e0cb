// --recipe NAME,KEY=VALUE,...: a recipe and what is changed of it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "neardup/cli/flags.h"
#include "neardup/recipe/spec.h"

namespace neardup::cli {

/// What --recipe takes, as the help shows it.
inline constexpr const char* kRecipeValue = "NAME|FILE[,KEY=VALUE]...";

/// One thing that can be changed of a recipe; also a hidden flag of that name.
struct RecipeOverride {
  std::string key;    // "mask"
  std::string value;  // "KIND,..."
  std::function<Status(const std::string& value)> set;
};

/// "NAME,mask=dates,urls,idf=FILE" taken apart: cut only before a comma with one of the keys and "=" behind it, so that
/// values, and names of files, may hold commas. The name is empty where the first word is such a key.
struct RecipeWords {
  struct Change {
    std::string key, value;
  };
  std::string name;
  std::vector<Change> changes;  // as typed
};
[[nodiscard]] RecipeWords split_recipe(const std::string& typed, std::span<const std::string> keys);

/// --recipe, and for one version more the hidden flags --extraction, --mask, --quotes, --dictionary, --user-dictionary,
/// --phrases. `recipe` becomes the default recipe; the dictionary that it needs and the phrases are opened before the
/// command runs. `memory_bytes` is where --memory is put, of which phrases may take a share; null = no limit.
void define_recipe_flag(Flags& flags, recipe::Recipe& recipe, const uint64_t* memory_bytes = nullptr);

/// The same with idf=FILE. `names_recipe` is told whether one is named, for a command that takes `shown_default`, or
/// the recipe of a store, where none is.
void define_recipe_flags(Flags& flags, recipe::Recipe& recipe, std::string& idf_file,
                         const uint64_t* memory_bytes = nullptr, bool* names_recipe = nullptr,
                         const std::string& shown_default = recipe::default_recipe().name);

/// The recipe of fingerprints that are kept: it learns nothing, so those of any two inputs can be compared.
inline constexpr const char* kKeptRecipe = "grams";
/// Makes the default recipe, and what was changed of it, that of fingerprints that are kept.
void take_kept_recipe(recipe::Recipe& recipe);

/// Returns the kinds of masks in "dates,numbers", in the order of text::mask_names(). Errors: kInvalidArgument.
[[nodiscard]] Result<std::vector<std::string>> parse_mask(const std::string& typed);

}  // namespace neardup::cli
