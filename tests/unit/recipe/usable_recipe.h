// Named recipes as tests can use them: one that needs a dictionary gets a small one.
#pragma once

#include <string>
#include <utility>

#include "neardup/recipe/spec.h"
#include "tests/fuzz/jieba_sample.h"

inline neardup::recipe::Recipe usable_recipe(const std::string& name) {
  using namespace neardup;
  recipe::Recipe recipe = recipe::find_recipe(name).value();
  if (!recipe.needs_dictionary()) return recipe;
  auto dictionary = token::JiebaDictionary::from_bytes(compiled_sample()).value();
  if (!recipe::attach_dictionary(recipe, std::move(dictionary))) std::abort();
  return recipe;
}
