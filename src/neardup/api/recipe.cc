#include "neardup/api/recipe.h"

#include "neardup/recipe/spec.h"

namespace neardup {

Recipe::Recipe() = default;
Recipe::Recipe(recipe::Recipe inner) : inner_(std::make_shared<const recipe::Recipe>(std::move(inner))) {}

std::string Recipe::name() const { return is_set() ? inner_->name : std::string(); }
std::string Recipe::id() const { return is_set() ? recipe::recipe_id(*inner_) : std::string(); }
std::string Recipe::json() const { return is_set() ? recipe::to_json(*inner_) : std::string(); }

Recipe default_recipe() { return Recipe(recipe::default_recipe()); }

Result<Recipe> find_recipe(const std::string& name_or_file) {
  NEARDUP_ASSIGN(recipe::Recipe found, recipe::find_recipe(name_or_file));
  return Recipe(std::move(found));
}

Result<Recipe> recipe_from_json(std::string_view json) {
  NEARDUP_ASSIGN(recipe::Recipe read, recipe::recipe_from_json(json));
  return Recipe(std::move(read));
}

std::vector<std::string> recipe_names() { return recipe::recipe_names(); }

}  // namespace neardup
