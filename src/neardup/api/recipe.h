// Recipes: how texts become fingerprints or signatures.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup {

namespace recipe {
struct Recipe;
}

/// What stands for a document while candidates are looked for. docs/recipes.md says which finds what.
enum class Family {
  kAuto,     // what dedup takes of the recipe: MinHash where it has both
  kMinHash,  // a signature: as many equal values as the texts share 3-grams
  kSimHash,  // 64-bit fingerprints: few different bits in similar texts
};

/// All that changes a fingerprint, as one immutable value: cheap to copy. One that nothing was put in (`Recipe
/// recipe;`) is not set, and every function here refuses it with kInvalidArgument: begin with default_recipe() or
/// find_recipe(). Threads: any number.
class Recipe {
 public:
  Recipe();
  explicit Recipe(recipe::Recipe inner);

  [[nodiscard]] bool is_set() const { return inner_ != nullptr; }
  /// Return the name, for people; 12 hexadecimal digits that stand for all that changes a fingerprint; the canonical
  /// JSON form. Empty where it is not set.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string id() const;
  [[nodiscard]] std::string json() const;

  /// Of the library's own sources: what the rooms inside work with. Requires: is_set().
  [[nodiscard]] const recipe::Recipe& inner() const { return *inner_; }

 private:
  std::shared_ptr<const recipe::Recipe> inner_;
};

/// Returns the recipe that the command line takes where none is named.
[[nodiscard]] Recipe default_recipe();
/// Returns the recipe of that name ("default", "grams", "web", ...: recipe_names()) or that in the JSON file of that
/// path. Errors: kNotFound, with the names that there are; kInvalidArgument for what is no recipe.
[[nodiscard]] Result<Recipe> find_recipe(const std::string& name_or_file);
/// Returns the recipe that Recipe::json() has written. Errors: kInvalidArgument, naming the key.
[[nodiscard]] Result<Recipe> recipe_from_json(std::string_view json);
/// Returns the names that find_recipe() knows, "default" first.
[[nodiscard]] std::vector<std::string> recipe_names();

}  // namespace neardup
