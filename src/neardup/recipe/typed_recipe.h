// NAME,KEY=VALUE,...: a recipe and what is changed of it, as people type it: the one place that reads it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/recipe/dictionary.h"
#include "neardup/recipe/spec.h"

namespace neardup::recipe {

/// Files that were named beside a recipe; empty where none was.
struct RecipeFiles {
  std::string idf, phrases;
  DictionaryFiles dictionary = {};
};

/// One thing that can be changed of a recipe, and what it takes: "mask", "KIND,...".
struct RecipeKey {
  std::string key, value;
};
/// Returns all of them, in the order in which help shows them; "idf", which not every command takes, is the last.
[[nodiscard]] std::vector<RecipeKey> recipe_keys(bool with_idf);

/// "NAME,mask=dates,urls,idf=FILE" taken apart: cut only before a comma with one of the keys and "=" behind it, so that
/// values, and names of files, may hold commas. The name is empty where the first word is such a key.
/// Cost: one pass.
struct RecipeWords {
  std::string name;
  std::vector<RecipeKey> changes;  // with their values, as typed
};
[[nodiscard]] RecipeWords split_recipe(const std::string& typed, std::span<const RecipeKey> keys);

/// The same, of which each change is there once, and has a value. Errors: kInvalidArgument: else, or where a change is
/// none of `keys`.
[[nodiscard]] Result<RecipeWords> parse_recipe(const std::string& typed, std::span<const RecipeKey> keys);

/// Puts into `recipe` the recipe of that name, or `unnamed` where there is none, with what is changed of it, and into
/// `files` the files that are named; those that are not stay. Errors: kNotFound, kInvalidArgument, in the words of
/// find_recipe(), or naming the key, what was found and what is allowed.
[[nodiscard]] Status make_recipe(const RecipeWords& words, const std::string& unnamed, Recipe& recipe,
                                 RecipeFiles& files);

/// Changes one thing of `recipe` or `files`, as KEY=VALUE does. Errors: kInvalidArgument without the key's name.
/// Requires: `key` is one of recipe_keys().
[[nodiscard]] Status change_recipe(std::string_view key, const std::string& value, Recipe& recipe, RecipeFiles& files);

/// Opens the dictionary that `recipe` needs, and the phrases of `files`, which may take `memory_bytes`. Errors: those
/// of provide_dictionary() and use_phrases().
[[nodiscard]] Status complete_recipe(const RecipeFiles& files, const DictionaryPlaces& places, uint64_t memory_bytes,
                                     Recipe& recipe);

/// Returns the kinds of masks in "dates,numbers", in the order of text::mask_names(). Errors: kInvalidArgument.
[[nodiscard]] Result<std::vector<std::string>> parse_mask(const std::string& typed);

/// The recipe of fingerprints that are kept: it learns nothing, so those of any two inputs can be compared.
inline constexpr const char* kKeptRecipe = "grams";

}  // namespace neardup::recipe
